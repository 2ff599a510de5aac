// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>

namespace posiscope::cli {

/// For a command whose subcommands are a catalogue ("compute MEASURE"): what to say when the word is none of them, or
/// is missing. Call it after the subcommands were added; the answer is asked after parsing. (CLI11 itself would only
/// say that a subcommand is required.)
/// `elsewhere`: what to say instead of a word that is known, but not here; empty of any other word.
std::function<std::optional<Error>()> addChoice(CLI::App& command, const std::string& kind,
                                                std::function<std::string(const std::string&)> elsewhere = {});

}  // namespace posiscope::cli

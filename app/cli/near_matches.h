// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <string>
#include <string_view>
#include <vector>

namespace posiscope::cli {

/// The names most like `word`, best first, at most three; empty when none is close.
std::vector<std::string> nearMatches(std::string_view word, const std::vector<std::string>& names);

/// "there is no scheme 'rop'; did you mean rope? Known: none, sinusoidal, …"
Error unknownName(std::string_view kind, std::string_view word, const std::vector<std::string>& names);

/// The items with ", " between them.
std::string listed(const std::vector<std::string>& items, std::string_view separator = ", ");

}  // namespace posiscope::cli

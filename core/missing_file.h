// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/parameter.h"

#include <string_view>

namespace posiscope {

/// Refuses a value of which only the file is known (isMissing), in the sentence that is the same wherever it is wanted:
/// "learned: table: the file t.npy is missing or has changed". Error: file_missing.
Outcome checkFound(const Text& owner, std::string_view key, const Value& value);
/// The path of a missing file as a person reads it: "many.safetensors#wpe.weight" is "many.safetensors (tensor
/// wpe.weight)".
Text fileInWords(std::string_view path);
/// Is this its refusal? Who has asked for the file already need not say it again in full.
bool saysFileIsMissing(const Error& error);

}  // namespace posiscope

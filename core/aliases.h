// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment.h"

#include <functional>
#include <string>
#include <string_view>

namespace posiscope {

/// A scheme's own id and the values another name stands for: "rope_half" is rope with pairing=half.
struct ResolvedScheme {
  std::string id;
  ParamValues values;
};

/// Other programs' and files' names → ours; our own names stay. They never appear on output.
/// Errors: unknown_name for what is neither, naming the known schemes.
Expected<ResolvedScheme> resolveScheme(std::string_view name);

/// "rope_theta" → "base". A key nobody knows comes back unchanged: the scheme's table then refuses it.
std::string resolveParam(std::string_view scheme_id, std::string_view key);

/// "heads" → "num_heads": the sizes of the shape. Unknown keys come back unchanged.
std::string resolveShapeParam(std::string_view key);

/// "concat" → "concatenated", for the parameter `key` (ours). Unknown words come back unchanged.
std::string resolveWord(std::string_view scheme_id, std::string_view key, std::string_view word);

using ArrayLoader = std::function<Expected<Array>(const std::string& path)>;

/// Reads "ID[,key=value…]" of the command line; a value is a number, a word, a list such as [16,24,24], or @file for
/// an array or a list. Names may be others' names; a parameter given twice is refused. Errors: unknown_name, bad_value,
/// out_of_range, the loader's.
Expected<SchemeChoice> parseScheme(std::string_view text, const ArrayLoader& load);

}  // namespace posiscope

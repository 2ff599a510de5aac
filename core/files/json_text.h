// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope::files {

/// A JSON document and the keys that were given twice in one object ("rope_scaling.factor"); the last one counts.
struct JsonText {
  nlohmann::json root;
  std::vector<std::string> repeated;
};

/// Strict JSON: UTF-8 without a byte order mark, no NUL, no comment, nested at most 128 deep. The sentence starts
/// with `file`. Error: file_format.
Expected<JsonText> parseJson(std::string_view text, std::string_view file);

/// A piece of JSON for a message: short and on one line.
std::string shown(const nlohmann::json& value);

}  // namespace posiscope::files

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace posiscope {

/// What stands where a file of labels has no line: programs that pad their attention write labels of the real tokens.
inline constexpr const char* unlabelled = "pad?";

/// What is written at each token.
struct Labels {
  std::vector<std::string> names;
  Text shortage = {};  ///< one sentence where the file has too few lines, and some are `unlabelled`; else empty
};

/// The first `count` lines of a text file; further lines are for a longer sequence. Errors: those of reading it.
Expected<Labels> readLabels(const std::string& path, std::int64_t count);

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/content.h"
#include "core/mask.h"

#include <cstdint>
#include <string>
#include <vector>

namespace posiscope {

/// What stands where a file of labels has no line: programs that pad their attention write labels of the real tokens.
inline constexpr const char* unlabelled = "pad?";

/// What is written at each token. Characters that would act on the text around them are escaped.
struct Labels {
  std::vector<std::string> names;    ///< of the keys
  std::vector<std::string> queries;  ///< where they are tokens of their own and have lines; else empty
  Text shortage = {};                ///< one sentence where lines are missing, and some are `unlabelled`; else empty
  Text excess = {};                  ///< one where the file has lines that are not used; else empty
};

/// The first `keys` lines of a text file, and as many as there are `own_queries` after them. Errors: those of reading
/// it; file_format where a line is not UTF-8.
Expected<Labels> readLabels(const std::string& path, std::int64_t keys, std::int64_t own_queries = 0);

/// Are the queries of given attention another sequence than its keys (cross attention)? Fewer queries than keys under
/// a causal mask are the last of the same tokens.
bool hasOwnQueries(const ContentSpec& content, const Mask& mask, const Shape& shape);
/// What is written at each of the queries that are a sequence of their own; empty where nothing is.
std::vector<std::string> ownQueryLabels(const ContentSpec& content, const Shape& shape);

/// That the labels are for a longer sequence than the whole one; empty where they are not.
Text excessLabels(const ContentSpec& content, const Mask& mask, const Shape& whole);

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/media_segments.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace posiscope {

using nlohmann::json;

std::optional<std::vector<double>> segmentTriples(const json& list) {
  if (!list.is_array()) return std::nullopt;
  std::vector<double> triples;
  for (const json& s : list) {
    if (!s.is_array() || s.empty() || !s[0].is_string()) return std::nullopt;
    const std::size_t numbers = s[0] == "text" ? 1 : 3;
    if (s.size() != numbers + 1 || !std::all_of(s.begin() + 1, s.end(), [](const json& v) { return v.is_number(); }))
      return std::nullopt;
    for (std::size_t i = 1; i <= 3; ++i) triples.push_back(i < s.size() ? s[i].get<double>() : 0.0);
  }
  return triples;
}

std::optional<std::vector<double>> segmentTriples(std::string_view text) {
  const json list = json::parse(text, nullptr, false);
  if (!list.is_array() || list.empty()) return std::nullopt;  // an empty list is one of triples, too
  return segmentTriples(list);
}

}  // namespace posiscope

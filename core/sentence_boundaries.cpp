// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sentence_boundaries.h"

#include "core/token_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace posiscope {
namespace {

constexpr std::array<std::string_view, 6> stops{".", "!", "?", "。", "！", "？"};
constexpr std::array<std::string_view, 12> closing{"\"", "'", ")", "]", "}", "”", "’", "»", "）", "」", "』", "】"};

bool endsSentence(std::string_view token) {
  const auto ends = [&token](std::string_view mark) { return token.ends_with(mark); };
  for (auto close = std::ranges::find_if(closing, ends); close != closing.end();
       close = std::ranges::find_if(closing, ends))
    token.remove_suffix(close->size());
  return std::ranges::any_of(stops, ends);
}

}  // namespace

std::vector<double> sentenceBoundaries(const ContentSpec& content, const Shape& shape) {
  if (content.source != ContentSource::tokens) return {};
  std::vector<double> of_text;
  for (std::string_view rest = content.text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    // A line break is a blank between tokens, so the tokens of the lines are those of the text.
    const std::vector<std::string> tokens = splitTokens(rest.substr(0, end));
    for (const std::string& token : tokens) of_text.push_back(endsSentence(token) ? 1 : 0);
    if (!tokens.empty()) of_text.back() = 1;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  std::vector<double> boundaries;
  for (std::int64_t t = 0; t < shape.keys() && !of_text.empty(); ++t)
    boundaries.push_back(of_text[static_cast<std::size_t>(t) % of_text.size()]);
  return boundaries;
}

}  // namespace posiscope

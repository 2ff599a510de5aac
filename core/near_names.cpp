// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/near_names.h"

#include <algorithm>
#include <utility>

namespace posiscope {
namespace {

constexpr std::size_t most_named = 3;

/// Insertions, deletions, replacements and swaps of neighbours from one word to the other (optimal string alignment).
std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

/// In a word of three letters one slip is much, in one of twelve even four leave it recognisable.
std::size_t farthest(std::size_t length) { return std::max(std::clamp<std::size_t>(length / 2, 1, 2), length / 3); }

}  // namespace

std::vector<std::string> nearNames(std::string_view word, const std::vector<std::string>& names) {
  std::vector<std::pair<std::size_t, std::string>> found;
  constexpr std::size_t longest = 200;  // of what was typed; no name comes near that
  if (word.size() > longest) return {};
  for (const std::string& name : names) {
    const bool part = (word.size() >= 2 && name.find(word) != std::string::npos) ||
                      (name.size() >= 3 && word.find(name) != std::string_view::npos);
    const std::size_t distance = part ? 0 : editDistance(word, name);
    if (distance <= farthest(std::min(word.size(), name.size()))) found.emplace_back(distance, name);
  }
  std::ranges::stable_sort(found, {}, &std::pair<std::size_t, std::string>::first);
  std::vector<std::string> best;
  for (const auto& [distance, name] : found)
    if (best.size() < most_named && distance == found.front().first) best.push_back(name);
  return best;
}

std::optional<std::string> slipOf(std::string_view word, const std::vector<std::string>& names) {
  constexpr std::size_t shortest = 5, long_word = 8, longest = 200;
  if (word.size() > longest) return std::nullopt;
  std::optional<std::string> best;
  std::size_t least = 3;
  for (const std::string& name : names) {
    const std::size_t letters = std::min(word.size(), name.size());
    if (letters < shortest || std::max(word.size(), name.size()) > letters + 2) continue;
    const std::size_t distance = editDistance(word, name);
    if (distance == 0 || distance > (letters < long_word ? 1U : 2U) || distance > least) continue;
    best = distance < least ? std::optional(name) : std::nullopt;
    least = distance;
  }
  return best;
}

std::string listed(const std::vector<std::string>& items, std::string_view separator) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? std::string{} : std::string(separator)) + item;
  return text;
}

Text knownNames(std::string_view word, const std::vector<std::string>& names) {
  const std::vector<std::string> near = nearNames(word, names);
  if (names.empty()) return {"; known: none", "；可用：无"};
  if (near.empty()) return {"; known: " + listed(names), "；可用：" + listed(names)};
  return {"; did you mean " + listed(near, " or ") + "? Known: " + listed(names),
          "；您是否要用 " + listed(near, " 或 ") + "？可用：" + listed(names)};
}

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/near_matches.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace posiscope::cli {
namespace {

/// Insertions, deletions and replacements from one word to the other.
std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> nearMatches(std::string_view word, const std::vector<std::string>& names) {
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& name : names) {
    const bool part =
        word.size() >= 2 && (name.find(word) != std::string::npos || word.find(name) != std::string::npos);
    const std::size_t distance = editDistance(word, name);
    if (part || distance <= std::max<std::size_t>(1, std::min(word.size(), name.size()) / 3))
      found.emplace_back(part ? 0 : distance, name);
  }
  std::ranges::stable_sort(found, {}, &std::pair<std::size_t, std::string>::first);
  std::vector<std::string> best;
  for (const auto& [distance, name] : found)
    if (best.size() < 3) best.push_back(name);
  return best;
}

std::string listed(const std::vector<std::string>& items, std::string_view separator) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? std::string{} : std::string(separator)) + item;
  return text;
}

Error unknownName(std::string_view kind, std::string_view word, const std::vector<std::string>& names) {
  const std::vector<std::string> near = nearMatches(word, names);
  std::string sentence = join("there is no ", kind, " '", word, "'");
  if (!near.empty()) sentence += "; did you mean " + listed(near, " or ") + "?";
  sentence += (near.empty() ? "; known: " : " Known: ") + listed(names);
  return {ErrorCode::unknown_name, {sentence, {}}};
}

}  // namespace posiscope::cli

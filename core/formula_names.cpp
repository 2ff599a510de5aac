// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula_names.h"

#include "core/compiled_formula.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace posiscope {
namespace {

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
// Only ASCII letters: a byte of another one is no part of a name in formulas.
bool isWord(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_'; }

/// Where the number that begins at `begin` ends: 1e5 is one, and its e no name.
std::size_t endOfNumber(std::string_view text, std::size_t begin) {
  double value = 0;
  const char* const end = std::from_chars(text.data() + begin, text.data() + text.size(), value).ptr;
  return std::max(begin + 1, static_cast<std::size_t>(end - text.data()));
}

bool isCalled(std::string_view text, std::size_t end) {
  const std::size_t next = text.find_first_not_of(" \t\r\n", end);
  return next != std::string_view::npos && text[next] == '(';
}

}  // namespace

std::vector<FormulaName> namesIn(std::string_view text) {
  std::vector<FormulaName> names;
  for (std::size_t at = 0; at < text.size();) {
    if (isDigit(text[at]) || text[at] == '.') {
      at = endOfNumber(text, at);
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && isWord(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    if (!word.empty() && !isCalled(text, end) && !isBuiltIn(word) &&
        std::ranges::find(names, word, &FormulaName::word) == names.end())
      names.push_back({word, at});
    at = std::max(end, at + 1);
  }
  return names;
}

}  // namespace posiscope

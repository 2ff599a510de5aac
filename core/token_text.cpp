// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/token_text.h"

#include <cstdint>

namespace posiscope {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
};

/// The character at the start of `text`, which is not empty. A byte that begins no UTF-8 sequence stands for itself.
Character firstCharacter(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<std::uint8_t>(text[k]); };
  const std::uint8_t lead = byte(0);
  const std::size_t length = lead >= 0xF0 && lead < 0xF8 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  if (length == 1 || lead >= 0xF8 || text.size() < length) return {lead < 0x80 ? lead : 0xFFFDu, 1};
  std::uint32_t code = lead & (0xFFu >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return {0xFFFD, 1};
    code = code << 6 | (byte(k) & 0x3Fu);
  }
  return {code, length};
}

bool isSpace(std::uint32_t code) {
  return code == ' ' || (code >= '\t' && code <= '\r') || code == 0x85 || code == 0xA0 || code == 0x1680 ||
         (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F ||
         code == 0x3000;
}

/// Written without spaces between words: kana, Han in all its blocks, their punctuation and the full-width forms.
/// Korean has spaces.
bool standsAlone(std::uint32_t code) {
  return (code >= 0x2E80 && code <= 0x9FFF) || (code >= 0xF900 && code <= 0xFAFF) ||
         (code >= 0xFE30 && code <= 0xFE4F) || (code >= 0xFF00 && code <= 0xFFEF) ||
         (code >= 0x20000 && code <= 0x3FFFF);
}

}  // namespace

std::vector<std::string> splitTokens(std::string_view text) {
  std::vector<std::string> tokens;
  bool in_word = false;
  while (!text.empty()) {
    const Character character = firstCharacter(text);
    const std::string_view piece = text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
    if (isSpace(character.code)) {
      in_word = false;
    } else if (standsAlone(character.code)) {
      tokens.emplace_back(piece);
      in_word = false;
    } else if (in_word) {
      tokens.back() += piece;
    } else {
      tokens.emplace_back(piece);
      in_word = true;
    }
  }
  return tokens;
}

std::string_view withoutMark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  return text;
}

}  // namespace posiscope

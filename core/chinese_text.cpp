// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chinese_text.h"

#include <cstddef>

namespace posiscope {
namespace {

/// The first character where it takes three bytes of UTF-8, as every full-width one in use does; else 0.
char32_t firstOf(std::string_view text) {
  if (text.size() < 3 || (static_cast<unsigned char>(text[0]) & 0xF0U) != 0xE0U) return 0;
  const auto bits = [text](std::size_t at, unsigned mask) { return static_cast<unsigned char>(text[at]) & mask; };
  return bits(0, 0x0FU) << 12 | bits(1, 0x3FU) << 6 | bits(2, 0x3FU);
}

bool isWide(char32_t c) {
  const bool quotes = c == 0x201C || c == 0x201D || c == 0x2026 || c == 0x2014;
  return quotes || (c >= 0x3000 && c <= 0x30FF) || (c >= 0x3400 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0xFF00 && c <= 0xFFEF);
}

bool endsWide(std::string_view text) { return text.size() >= 3 && isWide(firstOf(text.substr(text.size() - 3))); }

}  // namespace

void appendChinese(std::string& sentence, std::string_view piece) {
  const std::size_t end = sentence.find_last_not_of(' ');
  const std::size_t begin = piece.find_first_not_of(' ');
  const bool both = end != std::string::npos && begin != std::string_view::npos &&
                    endsWide(std::string_view(sentence).substr(0, end + 1)) && isWide(firstOf(piece.substr(begin)));
  if (both) {
    sentence.resize(end + 1);
    piece.remove_prefix(begin);
  }
  sentence += piece;
}

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/refusal.h"

#include "core/chinese_text.h"

#include <cstdio>
#include <optional>

namespace posiscope::files {
namespace {

struct Character {
  char32_t code;
  std::size_t bytes;
};

std::optional<Character> decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return Character{lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return std::nullopt;
  char32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return std::nullopt;
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  const char32_t smallest = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80;
  if (code < smallest || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return std::nullopt;
  return Character{code, length};
}

/// Characters that would act on the text around them instead of being seen.
bool isUnseen(char32_t c) {
  // In the order of the code points: soft hyphen, Arabic letter mark, Mongolian vowel separator, interlinear marks,
  // tags.
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x61C || c == 0x180E ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE007F);
}

}  // namespace

Text same(std::string_view text) { return {std::string(text), std::string(text)}; }

std::string escaped(std::string_view text, std::size_t most) {
  std::string out;
  char code[16];
  while (!text.empty()) {
    if (out.size() >= most) return out + "…";
    const std::optional<Character> c = decode(text);
    if (!c) {
      std::snprintf(code, sizeof code, "\\x%02X", static_cast<unsigned>(static_cast<unsigned char>(text[0])));
      out += code;
    } else if (isUnseen(c->code)) {
      std::snprintf(code, sizeof code, "\\u{%X}", static_cast<unsigned>(c->code));
      out += code;
    } else {
      out += text.substr(0, c->bytes);
    }
    text.remove_prefix(c ? c->bytes : 1);
  }
  return out;
}

bool isUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::optional<Character> c = decode(text);
    if (!c) return false;
    text.remove_prefix(c->bytes);
  }
  return true;
}

tl::unexpected<Error> refuse(ErrorCode code, std::string_view file, const Text& field, const Text& allowed,
                             const Text& found) {
  const std::string name = escaped(file, 4096);
  return fail(code, join(name, ": ", field.en, " must be ", allowed.en, ", got ", found.en),
              joinChinese(name, "：", field.zh, " 必须是 ", allowed.zh, "，得到 ", found.zh));
}

tl::unexpected<Error> refuse(ErrorCode code, std::string_view file, const Text& field, const Text& allowed,
                             std::string_view found) {
  return refuse(code, file, field, allowed, same(escaped(found)));
}

}  // namespace posiscope::files

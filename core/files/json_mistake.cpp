// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/json_mistake.h"

#include "core/chinese_text.h"
#include "core/files/refusal.h"

#include <algorithm>
#include <string>

namespace posiscope::files {
namespace {

bool says(std::string_view words, std::string_view part) { return words.find(part) != std::string_view::npos; }

/// What would have been right. In the order in which one name is part of another.
Text expectedIn(std::string_view words) {
  const std::size_t at = words.find("; expected ");
  const std::string_view wanted = at == std::string_view::npos ? std::string_view() : words.substr(at);
  if (says(wanted, "a literal")) return {"a value", "值"};
  if (says(wanted, "end of input")) return {"the end", "文本结尾"};
  if (says(wanted, "string literal")) return {"a key in quotes", "带引号的键"};
  if (says(wanted, "':'")) return {"':'", "“:”"};
  if (says(wanted, "'}'")) return {"',' or '}'", "“,”或“}”"};
  if (says(wanted, "']'")) return {"',' or ']'", "“,”或“]”"};
  return {"a value", "值"};
}

/// The place in characters, as editors count.
Text placeOf(std::string_view before) {
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::size_t start = before.rfind('\n');
  const std::string_view in_line = before.substr(start == std::string_view::npos ? 0 : start + 1);
  const auto column = 1 + std::ranges::count_if(in_line, [](char c) { return (c & 0xC0) != 0x80; });
  return {join("line ", line, ", column ", column), join("第 ", line, " 行第 ", column, " 列")};
}

/// What the library read last: it keeps numbers and strings, but not which signs and words it took.
std::string_view foundIn(std::string_view text, std::size_t end, std::size_t kept, std::string_view words) {
  if (says(words, "invalid literal")) {
    constexpr std::string_view ends_a_word = " \t\r\n{}[],:\"";
    const std::size_t before = text.substr(0, end - 1).find_last_of(ends_a_word);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    return text.substr(begin, text.find_first_of(ends_a_word, end) - begin);
  }
  if (says(words, "unexpected end of input")) return text.substr(text.size());
  std::size_t size = kept;
  if (says(words, "unexpected '")) size = 1;
  if (says(words, "unexpected true literal") || says(words, "unexpected null literal")) size = 4;
  if (says(words, "unexpected false literal")) size = 5;
  size = std::min(size, end);
  return text.substr(end - size, size);
}

Text mistakeOf(std::string_view found, std::string_view words) {
  const std::string shown = escaped(found, 40);
  if (says(words, "missing closing quote")) return {"a string without its closing quote", "字符串缺少右引号"};
  if (says(words, "ill-formed UTF-8")) return {"bytes that are not UTF-8", "不是 UTF-8 的字节"};
  if (says(words, "control character"))
    return {"a line break or another control character inside a string", "字符串内有换行或其他控制字符"};
  if (says(words, "invalid string")) return {"an escape that JSON does not have", "JSON 中没有的转义"};
  if (says(words, "number overflow")) return {join(shown, " is too large a number"), join("数 ", shown, " 过大")};
  if (says(words, "invalid number"))
    return {join("'", shown, "' is not how JSON writes a number"), join("“", shown, "”不是 JSON 数的写法")};
  if (says(words, "invalid literal"))
    return {join("'", shown, "' is no value of JSON"), join("“", shown, "”不是 JSON 的值")};
  const Text expected = expectedIn(words);
  return {join(found.empty() ? "the text ends" : "'" + shown + "'", " where ", expected.en, " must stand"),
          joinChinese(found.empty() ? "文本已结束" : "“" + shown + "”", "，此处应为", expected.zh)};
}

}  // namespace

Text jsonMistake(std::string_view text, std::size_t position, std::size_t kept, std::string_view words) {
  const std::size_t end = std::clamp<std::size_t>(position, text.empty() ? 0 : 1, text.size());
  const std::string_view found = foundIn(text, end, kept, words);
  const Text place = placeOf(text.substr(0, static_cast<std::size_t>(found.data() - text.data())));
  const Text mistake = mistakeOf(found, words);
  return {join("an error in ", place.en, ": ", mistake.en), join(place.zh, "的错误：", mistake.zh)};
}

}  // namespace posiscope::files

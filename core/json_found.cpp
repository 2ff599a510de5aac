// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json_found.h"

#include "core/chinese_text.h"
#include "core/files/json_text.h"
#include "core/files/refusal.h"

namespace posiscope {
namespace {

/// What a parameter must be that no string can be.
std::optional<Text> kindWithoutStrings(ParamKind kind) {
  switch (kind) {
    case ParamKind::real: return Text{"a number", "数"};
    case ParamKind::integer: return Text{"a whole number", "整数"};
    case ParamKind::boolean: return Text{"true or false", "true 或 false"};
    case ParamKind::list: return Text{"a list of numbers such as [1,2]", "由数组成的列表，如 [1,2]"};
    case ParamKind::array:
    case ParamKind::text:
    case ParamKind::choice: break;
  }
  return std::nullopt;
}

}  // namespace

Text foundText(const nlohmann::json& found) {
  if (!found.is_string()) return files::same(files::shown(found));
  constexpr std::size_t longest = 60;
  const std::string text = files::escaped(found.get<std::string>(), longest);
  return {join("the string \"", text, "\""), join("字符串“", text, "”")};
}

Outcome checkFound(std::string_view owner, const ParamSpec& spec, const std::optional<Value>& read,
                   const nlohmann::json& found) {
  if (read) return checkValue(owner, spec, *read);
  const std::optional<Text> allowed = kindWithoutStrings(spec.kind);
  // checkValue has the sentence for every other kind: what is none of them is shown to it as a text.
  if (!found.is_string() || !allowed) return checkValue(owner, spec, Value(files::shown(found)));
  const Text what = foundText(found);
  return fail(ErrorCode::bad_value, join(owner, ": ", spec.key, " must be ", allowed->en, ", got ", what.en),
              joinChinese(owner, "：", spec.key, " 必须是", allowed->zh, "，得到", what.zh));
}

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parameter.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace posiscope {
namespace {

std::string numberText(double value) {
  char buffer[40];
  // The shortest text of 500000 is 5e+05, which nobody types.
  const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
  const auto end = whole ? std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed).ptr
                         : std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

std::optional<double> parseNumber(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::vector<double>> parseList(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  std::vector<double> values;
  std::string_view rest = text.substr(1, text.size() - 2);
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::string_view item = rest.substr(0, comma);
    while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
    while (!item.empty() && item.back() == ' ') item.remove_suffix(1);
    const auto value = parseNumber(item);
    if (!value) return std::nullopt;
    values.push_back(*value);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return values;
}

Text kindText(const ParamSpec& spec) {
  switch (spec.kind) {
    case ParamKind::real: return {"a number", "一个数"};
    case ParamKind::integer: return {"a whole number", "一个整数"};
    case ParamKind::boolean: return {"true or false", "true 或 false"};
    case ParamKind::list: return {"a list of numbers such as [1,2]", "一个数列，如 [1,2]"};
    case ParamKind::array: return {"an array file such as @table.npy", "一个数组文件，如 @table.npy"};
    case ParamKind::text:
      return {join("a text of at most ", spec.maximum, " bytes"), join("至多 ", spec.maximum, " 字节的文本")};
    case ParamKind::choice: break;
  }
  std::string names;
  for (const Choice& c : spec.choices) names += (names.empty() ? "" : ", ") + c.key;
  return {"one of " + names, "以下之一：" + names};
}

tl::unexpected<Error> kindError(std::string_view owner, const ParamSpec& spec, std::string_view found) {
  const Text kind = kindText(spec);
  return fail(ErrorCode::bad_value, join(owner, ": ", spec.key, " must be ", kind.en, ", got '", found, "'"),
              join(owner, "：", spec.key, " 必须是", kind.zh, "，得到“", found, "”"));
}

}  // namespace

std::string valueText(const Value& value) {
  struct Visitor {
    std::string operator()(double v) const { return numberText(v); }
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(const std::string& v) const { return v; }
    std::string operator()(const std::vector<double>& v) const {
      std::string text = "[";
      for (std::size_t i = 0; i < v.size(); ++i) text += (i ? "," : "") + numberText(v[i]);
      return text + "]";
    }
    std::string operator()(const Array& v) const { return v.empty() ? "" : "@" + v.source; }
  };
  return std::visit(Visitor{}, value);
}

Error rangeError(std::string_view owner, std::string_view key, double minimum, double maximum, double found) {
  return {ErrorCode::out_of_range,
          {join(owner, ": ", key, " must be ", minimum, " to ", maximum, ", got ", found),
           join(owner, "：", key, " 必须在 ", minimum, " 到 ", maximum, " 之间，得到 ", found)}};
}

Outcome checkValue(std::string_view owner, const ParamSpec& spec, const Value& value) {
  const auto wrong = [&] { return kindError(owner, spec, valueText(value)); };
  switch (spec.kind) {
    case ParamKind::boolean:
      if (!std::holds_alternative<bool>(value)) return wrong();
      return {};
    case ParamKind::list:
      if (!std::holds_alternative<std::vector<double>>(value)) return wrong();
      return {};
    case ParamKind::array:
      if (!std::holds_alternative<Array>(value)) return wrong();
      return {};
    case ParamKind::text: {
      const auto* text = std::get_if<std::string>(&value);
      if (!text) return wrong();
      // The text itself may be a book: only its size is told.
      if (static_cast<double>(text->size()) > spec.maximum) return kindError(owner, spec, join(text->size(), " bytes"));
      return {};
    }
    case ParamKind::choice: {
      const auto* key = std::get_if<std::string>(&value);
      if (!key || std::ranges::none_of(spec.choices, [&](const Choice& c) { return c.key == *key; })) return wrong();
      return {};
    }
    case ParamKind::real:
    case ParamKind::integer: break;
  }
  const auto* number = std::get_if<double>(&value);
  if (!number || std::isnan(*number)) return wrong();
  if (*number < spec.minimum || *number > spec.maximum)
    return fail(rangeError(owner, spec.key, spec.minimum, spec.maximum, *number));
  if (spec.kind == ParamKind::integer && *number != std::floor(*number)) return wrong();
  return {};
}

Expected<Value> parseValue(std::string_view owner, const ParamSpec& spec, std::string_view text) {
  std::optional<Value> value;
  switch (spec.kind) {
    case ParamKind::real:
    case ParamKind::integer:
      if (const auto number = parseNumber(text)) value = *number;
      break;
    case ParamKind::boolean:
      if (text == "true" || text == "1") value = true;
      if (text == "false" || text == "0") value = false;
      break;
    case ParamKind::list:
      if (auto list = parseList(text)) value = std::move(*list);
      break;
    case ParamKind::choice:
    case ParamKind::text: value = std::string(text); break;
    case ParamKind::array: break;
  }
  if (!value) return kindError(owner, spec, text);
  if (Outcome ok = checkValue(owner, spec, *value); !ok) return fail(ok.error());
  return *std::move(value);
}

const ParamSpec* findParam(const std::vector<ParamSpec>& specs, std::string_view key) {
  const auto found = std::ranges::find(specs, key, &ParamSpec::key);
  return found == specs.end() ? nullptr : &*found;
}

const Value& valueOf(const ParamSpec& spec, const ParamValues& values) {
  const auto found = values.find(spec.key);
  return found == values.end() ? spec.default_value : found->second;
}

bool isRelevant(const ParamSpec& spec, const std::vector<ParamSpec>& all, const ParamValues& values) {
  if (spec.depends_on.empty()) return true;
  const ParamSpec* other = findParam(all, spec.depends_on);
  if (!other) return false;
  const std::string now = valueText(valueOf(*other, values));
  return isRelevant(*other, all, values) && std::ranges::find(spec.depends_values, now) != spec.depends_values.end();
}

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/spec_values.h"

#include "core/files/json_text.h"
#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "core/json_found.h"
#include "core/near_names.h"
#include "core/session_value.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace posiscope::sweep {
namespace {

using files::escaped;
using nlohmann::json;

constexpr std::size_t longest_name = 4096;

std::string place(const std::string& file, const std::string& where) {
  return escaped(file, longest_name) + (where.empty() ? "" : ": " + escaped(where));
}

std::optional<Value> plainValue(const ParamSpec& spec, const json& found) {
  if (spec.kind == ParamKind::list && found.is_array()) {
    std::vector<double> list;
    for (const json& item : found)
      if (const auto number = session::numberFromJson(item)) list.push_back(*number);
    if (list.size() == found.size()) return list;
    return std::nullopt;
  }
  if (found.is_boolean()) return found.get<bool>();
  if (found.is_number()) return found.get<double>();
  const bool word = spec.kind == ParamKind::choice || spec.kind == ParamKind::text;
  if (word && found.is_string()) return found.get<std::string>();
  return std::nullopt;
}

}  // namespace

tl::unexpected<Error> wrongAt(const std::string& file, const std::string& where, const Text& allowed,
                              const json& found) {
  const Text field = where.empty() ? Text{"the specification", "扫描说明"} : files::same(escaped(where));
  return files::refuse(ErrorCode::bad_value, file, field, allowed, foundText(found));
}

tl::unexpected<Error> unknownAt(const std::string& file, const std::string& where, const Text& kind,
                                std::string_view word, const std::vector<std::string>& known) {
  const Text names = knownNames(word, known);
  return fail(ErrorCode::unknown_name,
              join(place(file, where), ": there is no ", kind.en, " '", escaped(word), "'", names.en),
              join(place(file, where), "：没有", kind.zh, "“", escaped(word), "”", names.zh));
}

Outcome checkParts(const std::string& file, const std::string& where, const json& object,
                   const std::vector<std::string>& known) {
  if (!object.is_object()) return wrongAt(file, where, {"an object", "一个对象"}, object);
  for (const auto& [key, value] : object.items())
    if (std::ranges::find(known, key) == known.end()) return unknownAt(file, where, {"part", "部分"}, key, known);
  return {};
}

Expected<const ParamSpec*> SpecValues::find(const std::string& where, const std::string& key) const {
  const ParamSpec* spec = findParam(specs_, key_ ? key_(key) : key);
  if (spec) return spec;
  std::vector<std::string> known;
  for (const ParamSpec& s : specs_) known.push_back(s.key);
  return unknownAt(file_, where, {"parameter", "参数"}, key, known);
}

Expected<Value> SpecValues::array(const std::string& where, const json& found) const {
  std::string name = found.is_string() ? found.get<std::string>() : "";
  if (name.starts_with('@')) name.erase(0, 1);
  if (name.empty())
    return wrongAt(file_, where, {"the name of a file with the array, '@table.npy'", "数组文件名，例如 '@table.npy'"},
                   found);
  const auto path = std::filesystem::path(file_).parent_path() / name;
  Expected<Array> array = files::readArray(path.string());
  if (!array)
    return fail(array.error().code, join(place(file_, where), ": ", array.error().message.en),
                join(place(file_, where), "：", array.error().message.zh));
  array->source = name;  // as it is written: the same on every machine
  return *std::move(array);
}

Expected<Value> SpecValues::value(const std::string& where, const ParamSpec& spec, const json& found) const {
  if (spec.kind == ParamKind::array) return array(where, found);
  std::optional<Value> read = plainValue(spec, found);
  if (auto* text = read ? std::get_if<std::string>(&*read) : nullptr; text && word_) *text = word_(spec.key, *text);
  const std::size_t dot = where.rfind('.');
  const std::string owner = place(file_, dot == std::string::npos ? "" : where.substr(0, dot));
  if (Outcome ok = checkFound(owner, spec, read, found); !ok) return fail(ok.error());
  return read ? *std::move(read) : Value(files::shown(found));
}

Expected<ParamValues> SpecValues::values(const std::string& where, const json& object) const {
  if (!object.is_object()) return wrongAt(file_, where, {"an object", "一个对象"}, object);
  ParamValues result;
  for (const auto& [key, found] : object.items()) {
    const Expected<const ParamSpec*> spec = find(where, key);
    if (!spec) return fail(spec.error());
    Expected<Value> read = value(where + "." + key, **spec, found);
    if (!read) return fail(read.error());
    result[(*spec)->key] = *std::move(read);
  }
  return result;
}

Expected<Axis> SpecValues::axis(const std::string& where, const std::string& key, const json& list) const {
  const Expected<const ParamSpec*> spec = find(where, key);
  if (!spec) return fail(spec.error());
  const std::string at = where + "." + key;
  if (!list.is_array() || list.empty())
    return wrongAt(file_, at, {"a list of one or more values", "由一个或多个值组成的列表"}, list);
  Axis result{(*spec)->key, {}};
  for (const json& found : list) {
    Expected<Value> read = value(at, **spec, found);
    if (!read) return fail(read.error());
    result.values.push_back(*std::move(read));
  }
  return result;
}

Expected<std::vector<Axis>> SpecValues::axes(const std::string& where, const json& object) const {
  if (!object.is_object()) return wrongAt(file_, where, {"an object", "一个对象"}, object);
  std::vector<Axis> result;
  for (const auto& [key, list] : object.items()) {
    Expected<Axis> read = axis(where, key, list);
    if (!read) return fail(read.error());
    result.push_back(*std::move(read));
  }
  return result;
}

}  // namespace posiscope::sweep

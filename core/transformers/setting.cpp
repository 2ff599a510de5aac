// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/transformers/setting.h"

#include "core/files/refusal.h"
#include "core/near_names.h"
#include "core/schemes/list.h"

namespace posiscope::transformers {
namespace {

/// "a setting must be rope.KEY=VALUE or first_position=VALUE, got 'x'"
Error malformed(const Model& model, std::string_view setting) {
  const std::string shown = files::escaped(setting);
  return {ErrorCode::bad_value,
          {join("a setting must be ", model.scheme.id, ".KEY=VALUE or first_position=VALUE, got '", shown, "'"),
           join("设置必须写成 ", model.scheme.id, ".KEY=VALUE 或 first_position=VALUE，得到“", shown, "”")}};
}

Outcome setFirstPosition(Model& model, std::string_view text) {
  const Expected<Value> value = parseValue("shape", *findParam(shapeTable().specs(), "first_position"), text);
  if (!value) return fail(value.error());
  model.shape.first_position = std::get<double>(*value);
  return {};
}

}  // namespace

Outcome applySetting(Model& model, std::string_view setting, const ArrayLoader& load) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string_view::npos) return fail(malformed(model, setting));
  const std::string_view name = setting.substr(0, equals);
  if (name == "first_position") return setFirstPosition(model, setting.substr(equals + 1));
  const std::size_t point = name.find('.');
  if (point == std::string_view::npos || point + 1 == name.size()) return fail(malformed(model, setting));
  const Expected<ResolvedScheme> scheme = resolveScheme(name.substr(0, point));
  if (!scheme) return fail(scheme.error());
  if (scheme->id != model.scheme.id)
    return fail(
        ErrorCode::unknown_name,
        join("the setting '", files::escaped(setting), "' must name the encoding of this model, ", model.scheme.id,
             ", got ", scheme->id),
        join("设置“", files::escaped(setting), "”必须针对该模型的位置编码 ", model.scheme.id, "，得到 ", scheme->id));
  // Read as any scheme of the command line is, with its other names and its sentences, then laid over the model's.
  Expected<SchemeChoice> choice = parseScheme(model.scheme.id + "," + std::string(setting.substr(point + 1)), load);
  if (!choice) return fail(choice.error());
  for (auto& [key, value] : choice->values) model.scheme.values[key] = std::move(value);
  return {};
}

Outcome checkSettings(const Model& model, std::int64_t tokens) {
  Shape shape = model.shape;
  shape.seq_len = tokens;
  shape.seq_len_q = 0;
  return schemes::find(model.scheme.id)->check(model.scheme.values, shape);
}

}  // namespace posiscope::transformers

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/transformers/setting.h"

#include "core/files/refusal.h"
#include "core/near_names.h"
#include "core/schemes/list.h"

#include <algorithm>

namespace posiscope::transformers {
namespace {

Shape shapeOf(const Model& model, std::int64_t tokens) {
  Shape shape = model.shape;
  shape.seq_len = tokens;
  shape.seq_len_q = 0;
  return shape;
}

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

/// Does the encoding of any layer rotate queries and keys? Where layers differ, some may not.
bool rotates(const Model& model) {
  const Scheme& scheme = *schemes::find(model.scheme.id);
  Shape shape = shapeOf(model, 1);
  for (shape.layer = 0; shape.layer < std::max<std::int64_t>(shape.num_layers, 1); ++shape.layer)
    if (const auto encoding = scheme.encode(model.scheme.values, shape); encoding && encoding->rotation) return true;
  return false;
}

/// Does `name` mean the model's encoding? "rope" does for all that rotate, whatever else they do in some layers.
bool means(const Model& model, std::string_view name) {
  return name == model.scheme.id || (name == "rope" && rotates(model));
}

/// Where parameters hang one on another, the first whose own condition fails, `spec` itself or one above it. `spec` is
/// idle.
const ParamSpec& firstIdle(const ParamSpec& spec, const std::vector<ParamSpec>& all, const ParamValues& values) {
  const ParamSpec& other = *findParam(all, spec.depends_on);
  return isRelevant(other, all, values) ? spec : firstIdle(other, all, values);
}

/// "linear|ntk|yarn"
std::string alternatives(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : "|") + value;
  return text;
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
  if (!means(model, scheme->id))
    return fail(
        ErrorCode::unknown_name,
        join("the setting '", files::escaped(setting), "' must name the encoding of this model, ", model.scheme.id,
             ", got ", scheme->id),
        join("设置“", files::escaped(setting), "”必须针对该模型的位置编码 ", model.scheme.id, "，得到 ", scheme->id));
  // Read as any scheme of the command line is, with its other names and its sentences, then laid over the model's.
  const std::string values = "," + std::string(setting.substr(point + 1));
  if (scheme->id != model.scheme.id)
    if (const auto own = parseScheme(scheme->id + values, load); !own) return fail(own.error());
  Expected<SchemeChoice> choice = parseScheme(model.scheme.id + values, load);
  if (!choice) return fail(choice.error());
  for (auto& [key, value] : choice->values) model.scheme.values[key] = std::move(value);
  return {};
}

std::vector<Text> idleParts(const Model& model, std::string_view setting) {
  const std::vector<ParamSpec>& specs = schemes::find(model.scheme.id)->params;
  const std::size_t point = setting.find('.');
  const auto named = resolveScheme(setting.substr(0, point));
  const std::string& scheme = named ? named->id : model.scheme.id;
  std::vector<Text> idle;
  // A comma stands between parameters, or inside a list: a piece of one is no parameter's name.
  for (std::size_t begin = point == std::string_view::npos ? setting.size() : point + 1; begin < setting.size();) {
    const std::size_t end = std::min(setting.find(',', begin), setting.size());
    const std::string_view piece = setting.substr(begin, end - begin);
    const ParamSpec* spec = findParam(specs, resolveParam(model.scheme.id, piece.substr(0, piece.find('='))));
    begin = end + 1;
    if (!spec || isRelevant(*spec, specs, model.scheme.values)) continue;
    const ParamSpec& link = firstIdle(*spec, specs, model.scheme.values);
    const ParamSpec& other = *findParam(specs, link.depends_on);
    const std::string name = scheme + "." + spec->key, now = valueText(valueOf(other, model.scheme.values));
    const std::string cure = join(scheme, ".", other.key, "=", alternatives(link.depends_values));
    idle.push_back({join(name, " has no effect while ", other.key, " is ", now, "; set ", cure, " too"),
                    join(other.key, " 为 ", now, " 时，", name, " 不起作用；请同时设置 ", cure)});
  }
  return idle;
}

std::vector<Text> warningsOf(const Model& model, std::int64_t tokens) {
  const auto encoding = schemes::find(model.scheme.id)->encode(model.scheme.values, shapeOf(model, tokens));
  return encoding ? encoding->warnings : std::vector<Text>{};
}

Outcome checkSettings(const Model& model, std::int64_t tokens) {
  return schemes::find(model.scheme.id)->check(model.scheme.values, shapeOf(model, tokens));
}

}  // namespace posiscope::transformers

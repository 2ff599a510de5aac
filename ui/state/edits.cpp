// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/edits.h"

#include "core/brought_values.h"
#include "core/models/attention_file.h"
#include "core/schemes/list.h"
#include "core/schemes/own_formula.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

namespace posiscope::ui {
namespace {

bool inside(const Experiment& e, int index) { return index >= 0 && index < static_cast<int>(e.schemes.size()); }
bool full(const Experiment& e) { return static_cast<int>(e.schemes.size()) >= max_schemes; }

/// Given attention has the sizes and the mask of its file.
Experiment withSizesOfAttention(Experiment e) {
  if (e.content.source != ContentSource::attention) return e;
  e = models::withAttentionSizes(std::move(e));
  e.shape.layer = std::min(e.shape.layer, e.shape.num_layers - 1);
  return e;
}

}  // namespace

int freeColour(const Experiment& experiment) {
  int colour = 0;
  while (std::ranges::find(experiment.schemes, colour, &SchemeChoice::colour) != experiment.schemes.end()) ++colour;
  return colour;
}

Experiment withScheme(Experiment e, const std::string& id) {
  if (full(e) || !schemes::find(id)) return e;
  SchemeChoice choice;
  choice.id = id;
  choice.colour = freeColour(e);
  e.schemes.push_back(std::move(choice));
  return e;
}

Experiment withDuplicate(Experiment e, int index) {
  if (full(e) || !inside(e, index)) return e;
  SchemeChoice copy = e.schemes[static_cast<std::size_t>(index)];
  copy.colour = freeColour(e);
  copy.visible = true;
  e.schemes.insert(e.schemes.begin() + index + 1, std::move(copy));
  return e;
}

Experiment withoutScheme(Experiment e, int index) {
  if (inside(e, index)) e.schemes.erase(e.schemes.begin() + index);
  return e;
}

Experiment withMoved(Experiment e, int from, int to) {
  if (!inside(e, from) || !inside(e, to)) return e;
  const auto first = e.schemes.begin();
  if (from < to)
    std::rotate(first + from, first + from + 1, first + to + 1);
  else
    std::rotate(first + to, first + from, first + from + 1);
  return e;
}

Experiment withVisible(Experiment e, int index, bool visible) {
  if (inside(e, index)) e.schemes[static_cast<std::size_t>(index)].visible = visible;
  return e;
}

Experiment withSchemeValue(Experiment e, int index, const std::string& key, std::optional<Value> value) {
  if (!inside(e, index)) return e;
  SchemeChoice& choice = e.schemes[static_cast<std::size_t>(index)];
  const Scheme* scheme = schemes::find(choice.id);
  const std::vector<ParamSpec> specs = scheme ? schemes::paramsOf(*scheme, choice.values) : std::vector<ParamSpec>{};
  const ParamSpec* spec = findParam(specs, key);
  const ParamValues before = choice.values;
  if (!value || (spec && *value == spec->default_value))
    choice.values.erase(key);
  else
    choice.values[key] = *value;
  bringAlong(choice.id, before, choice.values);
  // The default of another neighbourhood, chosen by hand, stays.
  if (value && spec && valueOf(*spec, choice.values) != *value) choice.values[key] = *std::move(value);
  return e;
}

Experiment withSchemeDefaults(Experiment e, int index) {
  if (inside(e, index)) e.schemes[static_cast<std::size_t>(index)].values.clear();
  return e;
}

Experiment withShapeValue(Experiment e, const std::string& key, const Value& value) {
  ParamValues values = shapeTable().values(e.shape);
  values[key] = value;
  if (const Expected<Shape> shape = shapeTable().read("shape", values)) e.shape = *shape;
  // Query heads share key-value heads evenly: a slider must not stop at each number that does not divide.
  Shape& shape = e.shape;
  if (key == "num_heads" && shape.num_kv_heads > 0) shape.num_kv_heads = std::gcd(shape.num_heads, shape.num_kv_heads);
  return e;
}

Experiment withContentValue(Experiment e, const std::string& key, const Value& value) {
  ParamValues values = contentTable().values(e.content);
  values[key] = value;
  Expected<ContentSpec> content = contentTable().read("content", values);
  if (!content) return e;
  e.content = *std::move(content);
  const bool chosen = key == "source" && !models::fitsAttention(e);
  // What is masked is told otherwise by weights than by logits.
  return key == "attention_axes" || key == "attention_kind" || chosen ? withSizesOfAttention(std::move(e)) : e;
}

Experiment withModelContent(Experiment e, const Array& tokens) {
  constexpr std::int64_t first_look = 64;
  e.content.source = ContentSource::model;
  e.content.token_file = tokens;
  e.content.token_ids.clear();
  e.content.segment_file = {};
  e.content.segment_ids.clear();
  e.content.second_segment = 0;
  e.shape.seq_len = std::min(e.shape.seq_len, first_look);
  if (!tokens.empty()) e.shape.seq_len = std::min(e.shape.seq_len, tokens.size());
  e.shape.seq_len_q = 0;
  return e;
}

Experiment withMaskValue(Experiment e, const std::string& key, const Value& value) {
  ParamValues values = maskTable().values(rulesOf(e.mask));
  values[key] = value;
  Expected<MaskRules> rules = maskTable().read("mask", values);
  if (!rules) return e;
  if (key == "mask" && e.mask.window < 0)
    rules->window = std::min(rules->window, std::max<std::int64_t>(1, e.shape.seq_len / 4));
  // Shifted windows that are chosen are shifted: by half a window, as in every second layer of Swin.
  if (key == "mask" && rules->mask == MaskRules::Rule::shifted && e.mask.side == 0 && rules->shift == 0)
    rules->shift = rules->side / 2;
  // Padding that is switched on is to be seen.
  if (key == "padding" && e.mask.padded_keys == 0 && e.mask.padded_queries == 0)
    rules->padded_keys = std::max<std::int64_t>(1, e.shape.seq_len / 8);
  e.mask = withRules(std::move(e.mask), *rules);
  // A rule that is chosen takes the place of the keys that an array masks one by one.
  if (key == "mask" && e.content.source == ContentSource::attention) e.mask.blocked.clear();
  return e;
}

Experiment withExperimentValue(Experiment e, const std::string& key, const Value& value) {
  if (const Expected<Experiment> read = experimentTable().read("experiment", {{key, value}}))
    e.train_length = read->train_length;
  return e;
}

Expected<Experiment> withArray(Experiment e, const std::string& where, const Array& array) {
  const std::size_t dot = where.find('.');
  const std::string key = dot == std::string::npos ? std::string() : where.substr(dot + 1);
  if (where.starts_with("content.")) {
    ParamValues values = contentTable().values(e.content);
    values[key] = array;
    const Expected<ContentSpec> content = contentTable().read("content", values);
    if (!content) return fail(content.error());
    e.content = *content;
    // A mask that was chosen beside the same sizes stays.
    return key == "attention" && !models::fitsAttention(e) ? withSizesOfAttention(std::move(e)) : e;
  }
  int index = -1;
  if (where.starts_with("schemes[")) std::from_chars(where.data() + 8, where.data() + where.size(), index);
  const Scheme* scheme = inside(e, index) ? schemes::find(e.schemes[static_cast<std::size_t>(index)].id) : nullptr;
  const ParamSpec* spec = scheme ? findParam(scheme->params, key) : nullptr;
  if (!spec || spec->kind != ParamKind::array)
    return fail(ErrorCode::unknown_name, join("session: there is no array at '", where, "'"),
                join("会话：“", where, "”处没有数组"));
  ParamValues& values = e.schemes[static_cast<std::size_t>(index)].values;
  values[key] = array;
  if (const Outcome legal = scheme->check(values, e.shape); !legal) return fail(legal.error());
  return e;
}

Expected<Experiment> withFound(Experiment e, const std::string& missing_file, const Array& array) {
  bool wanted = false;
  for (SchemeChoice& choice : e.schemes) {
    bool here = false;
    for (auto& [key, value] : choice.values) {
      if (!isMissing(value) || std::get<Array>(value).source != missing_file) continue;
      value = array;
      here = true;
    }
    const Scheme* scheme = here ? schemes::find(choice.id) : nullptr;
    if (!scheme) continue;
    if (const Outcome legal = scheme->check(choice.values, e.shape); !legal) return fail(legal.error());
    wanted = true;
  }
  if (wanted) return e;
  return fail(ErrorCode::unknown_name, join("session: no scheme waits for the file ", missing_file, " any more"),
              join("会话：已没有位置编码在等待文件 ", missing_file));
}

}  // namespace posiscope::ui

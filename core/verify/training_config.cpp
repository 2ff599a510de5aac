// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/training_config.h"

#include "core/aliases.h"
#include "core/train/trainable.h"

#include <algorithm>

namespace posiscope::verify {
namespace {

using nlohmann::json;

/// Our key for a constant of an encoding; null when it has no such constant.
const ParamSpec* constantOf(const train::Trainable& trainable, const std::string& key) {
  if (const ParamSpec* spec = findParam(trainable.params, key)) return spec;
  const auto by_alias = std::ranges::find(trainable.params, key, &ParamSpec::alias);
  if (by_alias != trainable.params.end()) return &*by_alias;
  return findParam(trainable.params, resolveParam(trainable.scheme, key));
}

Expected<train::PositionSpec> positionOf(const json& pe) {
  const auto kind = pe.at("kind").get<std::string>();
  const Expected<ResolvedScheme> scheme = resolveScheme(kind);
  if (!scheme) return fail(scheme.error());
  const train::Trainable* trainable = train::findTrainable(scheme->id);
  if (!trainable)
    return fail(ErrorCode::not_supported, join("the scheme '", scheme->id, "' cannot be trained yet"),
                join("方案“", scheme->id, "”还不能训练"));
  train::PositionSpec position{scheme->id, {}};
  for (const auto& [key, value] : pe.items()) {
    // The value term of Shaw is part of what the bench trains.
    if (key == "kind" || (key == "values" && value == true)) continue;
    const ParamSpec* spec = constantOf(*trainable, key);
    if (!spec)
      return fail(ErrorCode::unknown_name, join(scheme->id, ": there is no constant '", key, "'"),
                  join(scheme->id, "：没有常数“", key, "”"));
    position.values[spec->key] = value.is_string() ? Value(resolveWord(scheme->id, spec->key, value.get<std::string>()))
                                                   : Value(value.get<double>());
  }
  return position;
}

}  // namespace

Expected<train::ModelSpec> modelOf(const json& config) {
  train::ModelSpec spec;
  const auto size = [&](const char* key) { return config.at(key).get<std::int64_t>(); };
  spec.vocab = size("vocab");
  spec.classes = size("classes");
  spec.d_model = size("d_model");
  spec.num_heads = size("num_heads");
  spec.num_layers = size("num_layers");
  spec.mlp_ratio = size("mlp_ratio");
  spec.causal = config.at("causal").get<bool>();
  spec.tied = config.at("tied").get<bool>();
  spec.linear_bias = config.at("linear_bias").get<bool>();
  spec.zero_words = config.value("zero_words", false);
  spec.embed_scale = config.value("embed_scale", 1.0);
  if (config.contains("grid")) {
    spec.grid_height = config.at("grid").at(0).get<std::int64_t>();
    spec.grid_width = config.at("grid").at(1).get<std::int64_t>();
  }
  Expected<train::PositionSpec> position = positionOf(config.at("pe"));
  if (!position) return fail(position.error());
  spec.position = std::move(*position);
  return spec;
}

train::OptimiserSpec optimiserOf(const json& o) {
  train::OptimiserSpec spec;
  const auto number = [&](const char* key) { return o.at(key).get<double>(); };
  spec.kind = o.at("name") == "sgd" ? train::OptimiserKind::sgd : train::OptimiserKind::adamw;
  if (spec.kind == train::OptimiserKind::adamw) {
    spec.beta1 = o.at("betas").at(0).get<double>();
    spec.beta2 = o.at("betas").at(1).get<double>();
    spec.eps = number("eps");
  } else {
    spec.momentum = number("momentum");
  }
  spec.weight_decay = number("weight_decay");
  spec.clip = number("clip");
  spec.lr = number("lr");
  spec.lr_min = number("lr_min");
  spec.warmup = o.at("warmup").get<std::int64_t>();
  return spec;
}

Expected<TaskQuestion> taskOf(const json& entry) {
  const json& task = entry.at("task");
  TaskQuestion question;
  ParamValues values;
  for (const auto& [key, value] : task.items()) {
    if (key == "encoder") {
      question.causal = !value.get<bool>();
    } else if (key == "period" || key == "distance") {
      values["low"] = value.at(0).get<double>();
      values["high"] = value.at(1).get<double>();
    } else {
      const std::string ours = key == "op" ? "operation" : key;
      if (value.is_boolean())
        values[ours] = value.get<bool>();
      else
        values[ours] = value.is_string() ? Value(value.get<std::string>()) : Value(value.get<double>());
    }
  }
  const json& length = entry.at("length");
  if (length.is_array()) {
    question.size.grid = Grid{length.at(0).get<std::int64_t>(), length.at(1).get<std::int64_t>()};
    values["grid_height"] = length.at(0).get<double>();
    values["grid_width"] = length.at(1).get<double>();
  } else {
    question.size.length = length.get<std::int64_t>();
    values["length"] = length.get<double>();
  }
  Expected<train::TaskSpec> spec = train::taskTable().read("task", values);
  if (!spec) return fail(spec.error());
  question.spec = std::move(*spec);
  return question;
}

}  // namespace posiscope::verify

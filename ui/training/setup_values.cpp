// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/setup_values.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace posiscope::ui {
namespace {

constexpr std::string_view fine_tune = "fine_tune.";
constexpr double most_seeds = 10;

ParamSpec seedsSpec() {
  ParamSpec spec;
  spec.key = "seeds";
  spec.label = {"seeds", "种子数"};
  spec.help = {"Each seed gives other start values and other data, the same for all encodings.",
               "每个种子给出不同的初始值和数据，对所有编码都相同。"};
  spec.kind = ParamKind::integer;
  spec.minimum = spec.slider_minimum = 1;
  spec.maximum = spec.slider_maximum = most_seeds;
  spec.default_value = 3.0;
  return spec;
}

bool isUsual(const std::string& key) { return key == "steps" || key == "batch" || key == "lr"; }

/// Rows of both training forms in their order.
std::vector<ParamSpec> trainingSpecs(bool usual) {
  std::vector<ParamSpec> specs;
  if (usual) specs.push_back(seedsSpec());
  const auto take = [&](const std::vector<ParamSpec>& from, std::string_view prefix) {
    for (ParamSpec spec : from) {
      spec.key = std::string(prefix) + spec.key;
      if (!spec.depends_on.empty()) spec.depends_on = std::string(prefix) + spec.depends_on;
      if (isUsual(spec.key) == usual) specs.push_back(std::move(spec));
    }
  };
  take(train::scheduleTable().specs(), "");
  take(train::optimiserTable().specs(), "");
  std::vector<ParamSpec> tuning = train::fineTuneTable().specs();
  std::erase_if(tuning, [](const ParamSpec& s) { return s.key != "steps" && s.key != "factor"; });
  take(tuning, fine_tune);
  return specs;
}

}  // namespace

std::vector<ParamSpec> modelSpecs() {
  std::vector<ParamSpec> specs = train::modelTable().specs();
  std::erase_if(specs, [](const ParamSpec& s) { return s.key == "embed_scale" || s.key == "linear_bias"; });
  return specs;
}

std::vector<ParamSpec> usualTrainingSpecs() { return trainingSpecs(true); }
std::vector<ParamSpec> otherTrainingSpecs() { return trainingSpecs(false); }

Text taskName(train::TaskKind kind) {
  const ParamSpec* spec = findParam(train::taskTable().specs(), "name");
  return spec ? spec->choices[static_cast<std::size_t>(kind)].label : Text();
}

ParamValues trainingValues(const train::ComparisonSpec& spec) {
  ParamValues values = train::scheduleTable().values(spec.run.schedule);
  values.merge(train::optimiserTable().values(spec.run.optimiser));
  for (const auto& [key, value] : train::fineTuneTable().values(spec.run.fine_tune))
    values[std::string(fine_tune) + key] = value;
  values["seeds"] = static_cast<double>(spec.seeds.size());
  return values;
}

Outcome putTrainingValue(train::ComparisonSpec& spec, const std::string& key, const Value& value) {
  if (key == "seeds") {
    if (Outcome ok = checkValue("training", seedsSpec(), value); !ok) return ok;
    spec.seeds.resize(static_cast<std::size_t>(std::lround(std::get<double>(value))));
    for (std::size_t s = 0; s < spec.seeds.size(); ++s) spec.seeds[s] = s + 1;
    return {};
  }
  if (key.starts_with(fine_tune))
    return putValue(train::fineTuneTable(), "training", spec.run.fine_tune, key.substr(fine_tune.size()), value);
  if (findParam(train::scheduleTable().specs(), key))
    return putValue(train::scheduleTable(), "training", spec.run.schedule, key, value);
  return putValue(train::optimiserTable(), "training", spec.run.optimiser, key, value);
}

std::optional<Value> defaultOf(const std::string& key, bool task, bool model) {
  for (const std::vector<ParamSpec>& specs : {task    ? train::taskTable().specs()
                                              : model ? modelSpecs()
                                                      : usualTrainingSpecs(),
                                              otherTrainingSpecs()})
    if (const ParamSpec* spec = findParam(specs, key)) return spec->default_value;
  return std::nullopt;
}

}  // namespace posiscope::ui

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/run.h"

#include <gtest/gtest.h>

namespace posiscope::train {

/// A run of a few seconds at most: masked copy of three symbols.
inline RunSpec smallRun(std::string scheme = "rope", std::int64_t steps = 12) {
  RunSpec spec;
  spec.model.d_model = 16;
  spec.model.num_heads = 2;
  spec.model.num_layers = 1;
  spec.model.causal = false;
  spec.model.position.scheme = std::move(scheme);
  spec.task.kind = TaskKind::copy;
  spec.task.length = 3;
  spec.task.symbols = 5;
  spec.schedule.steps = steps;
  spec.schedule.batch = 8;
  spec.schedule.evaluate_every = 5;
  spec.schedule.evaluate_count = 16;
  return spec;
}

/// Two encodings with two seeds each.
inline ComparisonSpec smallComparison(std::int64_t steps) {
  ComparisonSpec spec;
  spec.run = smallRun("none", steps);
  spec.positions = {{"learned", {}}, {"rope", {}}};
  spec.seeds = {1, 2};
  return spec;
}

inline TrainingRun started(const RunSpec& spec) {
  Expected<TrainingRun> run = TrainingRun::create(spec);
  if (!run) ADD_FAILURE() << run.error().message.en;
  return std::move(*run);
}

inline std::vector<float> parametersOf(const TrainingRun& run) {
  return {run.model().parameters().begin(), run.model().parameters().end()};
}

}  // namespace posiscope::train

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/param_table.h"
#include "core/train/model_spec.h"
#include "core/train/optimiser_spec.h"
#include "core/train/task_spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace posiscope::train {

/// How long and on what a model is trained, whatever the model is.
struct Schedule {
  std::int64_t steps = 400;
  std::int64_t batch = 32;
  std::int64_t random_low = 0;   ///< shortest of random training lengths; 0 = always the task's length
  std::int64_t random_high = 0;  ///< longest
  std::int64_t evaluate_every = 50;
  std::int64_t evaluate_count = 128;  ///< examples of the evaluation split
  bool snapshots = true;              ///< attention of evaluation example 0 at steps 0, 1, 2, 4, 8 … and the last

  bool operator==(const Schedule&) const = default;
};

/// A short training at a longer length that follows the measured run; its weights are not changed by it.
struct FineTune {
  std::int64_t steps = 0;  ///< 0 = none
  double factor = 4;       ///< times the trained length
  std::int64_t batch = 4;
  double lr = 5e-4;

  bool operator==(const FineTune&) const = default;
};

/// One model to be trained: everything its numbers depend on.
struct RunSpec {
  ModelSpec model;
  TaskSpec task;
  OptimiserSpec optimiser;
  Schedule schedule;
  FineTune fine_tune = {};
  std::uint64_t seed = 1;       ///< of the start values
  std::uint64_t data_seed = 1;  ///< of the examples

  bool operator==(const RunSpec&) const = default;
};

/// A comparison: the same run for several encodings and seeds. Data and weights of a seed are the same for all.
struct ComparisonSpec {
  RunSpec run;
  std::vector<PositionSpec> positions;  ///< at least one, at most eight
  std::vector<std::uint64_t> seeds;     ///< at least one, at most ten; of weights and data together

  /// Encodings in their order, for each all seeds.
  std::vector<RunSpec> runs() const;

  bool operator==(const ComparisonSpec&) const = default;
};

const ParamTable<ModelSpec>& modelTable();
const ParamTable<Schedule>& scheduleTable();
const ParamTable<FineTune>& fineTuneTable();

/// "rope-half-seed2" – for a folder; the same for no two runs of a comparison when `number` tells equal ones apart.
std::string runName(const RunSpec& run, std::size_t number);

}  // namespace posiscope::train

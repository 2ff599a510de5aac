// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text.h"
#include "core/train/run_spec.h"

#include <string>
#include <vector>

namespace posiscope::train {

/// The sizes that the speed of the trainer is stated for.
struct ModelSize {
  std::string name;  ///< "S"
  std::int64_t d_model, num_heads, num_layers;
};
const std::vector<ModelSize>& modelSizes();

/// The task at a size at which it shows something with the smallest model, with the mask and the batch that belong to
/// it; everything else of the run stays.
RunSpec withUsualTask(RunSpec run, TaskKind kind);

/// A comparison that shows one thing, ready to be started.
struct ReadyExperiment {
  std::string id;
  Text name;
  Text question;  ///< one sentence: what is asked
  Text look_for;  ///< plain words: where to look, and what of it is to be expected
  ComparisonSpec spec;
};
const std::vector<ReadyExperiment>& readyExperiments();

}  // namespace posiscope::train

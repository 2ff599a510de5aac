// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/model_spec.h"
#include "core/train/task.h"

#include <string>
#include <vector>

namespace posiscope::train {

/// One way to use the same weights at `factor` times the trained length.
struct Stretch {
  std::string scaling;  ///< "none", "linear", "ntk", "yarn"
  PositionSpec position;
};

/// The encoding as it was trained and, where it rotates, with its frequencies stretched. `length`: tokens of a training
/// sequence.
std::vector<Stretch> stretches(const PositionSpec& plain, double factor, std::int64_t length);

/// The size of sequences `factor` times as long; the task may refuse it. A picture keeps its shape as well as whole
/// patches allow: both sides grow by the root of the factor.
TaskSize lengthenedSize(const TaskSpec& task, double factor);
/// The task with sequences `factor` times as long.
TaskSpec lengthened(TaskSpec task, double factor);

}  // namespace posiscope::train

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"
#include "core/train/model.h"
#include "core/train/task.h"

#include <vector>

namespace posiscope::train {

/// Examples 0 … count − 1 of the evaluation split.
struct Evaluation {
  std::int64_t length = 0;  ///< tokens of a sequence
  double loss = 0;          ///< mean over all counted targets
  double accuracy = 0;
  double last_eighth = 0;           ///< mean loss of the last eighth of the positions: the whole hides a late collapse
  std::vector<double> by_position;  ///< mean loss at each position, NaN where nothing is counted
};

/// Errors: those of the task's size and of the encoding (past_table: "cannot"); cancelled, between two batches.
Expected<Evaluation> evaluate(Model<float>& model, const Task& task, const TaskSpec& spec, std::uint64_t seed,
                              std::int64_t count, const TaskSize& size, const Job& job = Job());

/// The evaluation at 1, 1.5, 2, 4 and 8 times the trained length, with the same parameters; `refused` says why there
/// is none. An encoding by rotation is also stretched by the same factor (interpolation, NTK, YaRN), at evaluation
/// only. Pictures grow in both directions, so that the factor is about that of their patches.
struct LengthPoint {
  double factor = 1;
  std::string scaling;  ///< "none", "linear", "ntk", "yarn"
  std::optional<Evaluation> found;
  Text refused;
};
/// Ends early when the job is stopped.
std::vector<LengthPoint> lengthCurve(Model<float>& model, const Task& task, const TaskSpec& spec, std::uint64_t seed,
                                     std::int64_t count, const Job& job = Job());

}  // namespace posiscope::train

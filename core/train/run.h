// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"
#include "core/train/history.h"
#include "core/train/model.h"
#include "core/train/run_spec.h"
#include "core/train/task.h"

#include <memory>
#include <span>

namespace posiscope::train {

/// A model on its way through its steps, in single precision. What it is after t steps depends on its spec alone.
class TrainingRun {
 public:
  /// At step 0. Errors: those of the task, the model and of its first batch (a table too short, too much memory).
  static Expected<TrainingRun> create(const RunSpec& spec);

  const RunSpec& spec() const { return spec_; }
  const Task& task() const { return *task_; }
  Model<float>& model() { return *model_; }
  const Model<float>& model() const { return *model_; }
  const Optimiser<float>& optimiser() const { return *optimiser_; }
  const History& history() const { return history_; }
  std::int64_t step() const { return optimiser_->steps(); }
  bool isFinished() const { return step() >= spec_.schedule.steps; }

  /// One step, recorded. Errors: those of a batch, with random lengths only.
  Outcome advance();
  /// Loss and accuracy on the evaluation split, recorded. Error: cancelled, with nothing recorded.
  Outcome evaluate(const Job& job = Job());
  /// Is an evaluation due after the steps done so far?
  bool isEvaluationDue() const;
  /// Is the attention to be kept here: at 0, 1, 2, 4, 8 … and the last?
  bool isSnapshotDue() const;

  /// What every head does on the first evaluation examples, recorded. Errors: those of a forward pass.
  Outcome recordHeads();
  /// Starts from what another run has learned (a fine-tune at another length, with other constants of the encoding).
  /// Error: bad_shape when the parameters are not the same ones.
  Outcome startFrom(const Model<float>& other);
  /// Goes on where a checkpoint ended; sizes have been checked.
  void restore(std::int64_t steps, std::span<const float> parameters, std::span<const float> first,
               std::span<const float> second, History history);

 private:
  TrainingRun(RunSpec spec, std::shared_ptr<const Task> task, Model<float> model);
  TaskSize sizeOfStep() const;

  RunSpec spec_;
  std::shared_ptr<const Task> task_;
  std::unique_ptr<Model<float>> model_;
  std::unique_ptr<Optimiser<float>> optimiser_;
  History history_;
  Batch batch_;
};

/// The spec with the sizes that follow from its task: vocabulary, classes, grid, words that count 0.
Expected<RunSpec> completed(RunSpec spec, const Task& task);

}  // namespace posiscope::train

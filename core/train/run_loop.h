// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"
#include "core/train/run.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <string>

namespace posiscope::train {

/// Lets somebody else have the cores: a paused run waits between two steps. Safe to use from any thread.
class Pause {
 public:
  void set(bool paused);
  bool isSet() const;
  /// Returns when the pause is over or the job was stopped (looked at ten times a second).
  void wait(const Job& job) const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool paused_ = false;
};

struct LoopOptions {
  std::string folder = {};        ///< where checkpoints and snapshots go; empty = nowhere
  double checkpoint_seconds = 8;  ///< a crash loses no more than this and one step
  const Pause* pause = nullptr;
  std::int64_t until = std::numeric_limits<std::int64_t>::max();  ///< steps; a run that is to go on later
  std::function<void(const TrainingRun&)> after_step = {};
  /// The attention of evaluation example 0, [layers, heads, length, length], at the steps that keep it.
  std::function<void(const TrainingRun&, const Array&)> snapshot = {};
};

/// Advances a run until it is finished, at `until` or the job is stopped; such a run can go on later. Evaluates, keeps
/// snapshots (`keepSnapshot`) and checkpoints on its way and at its end. Errors: file_write; those of a step.
Outcome trainOn(TrainingRun& run, const Job& job, const LoopOptions& options);

/// The attention of evaluation example 0.
Expected<Array> attentionSnapshot(TrainingRun& run);

}  // namespace posiscope::train

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/run_loop.h"

#include "core/train/checkpoint.h"
#include "core/train/run_folder.h"

#include <chrono>

namespace posiscope::train {
namespace {

using Clock = std::chrono::steady_clock;

Outcome takeSnapshot(TrainingRun& run, const LoopOptions& options) {
  if (!run.isSnapshotDue()) return {};
  // A run that goes on from its checkpoint has them from before.
  if (run.history().heads.empty() || run.history().heads.back().step < run.step())
    if (Outcome ok = run.recordHeads(); !ok) return ok;
  if (options.folder.empty() && !options.snapshot) return {};
  const Expected<Array> attention = attentionSnapshot(run);
  if (!attention) return fail(attention.error());
  if (options.snapshot) options.snapshot(run, *attention);
  return options.folder.empty() ? Outcome() : keepSnapshot(options.folder, run.step(), *attention);
}

/// Evaluation and snapshot where they are due after the steps done so far. What a stop interrupts is done when the run
/// goes on.
Outcome look(TrainingRun& run, const Job& job, const LoopOptions& options) {
  const bool evaluated = !run.history().evaluations.empty() && run.history().evaluations.back().step == run.step();
  if (run.isEvaluationDue() && !evaluated)
    if (Outcome ok = run.evaluate(job); !ok) return ok.error().code == ErrorCode::cancelled ? Outcome() : ok;
  return takeSnapshot(run, options);
}

}  // namespace

void Pause::set(bool paused) {
  {
    const std::lock_guard lock(mutex_);
    paused_ = paused;
  }
  changed_.notify_all();
}

bool Pause::isSet() const {
  const std::lock_guard lock(mutex_);
  return paused_;
}

void Pause::wait(const Job& job) const {
  std::unique_lock lock(mutex_);
  while (paused_ && !job.stopped()) changed_.wait_for(lock, std::chrono::milliseconds(100));
}

Expected<Array> attentionSnapshot(TrainingRun& run) {
  const RunSpec& spec = run.spec();
  const Batch batch = makeBatch(run.task(), spec.task, Split::evaluation, spec.data_seed, 0, 1, sizeOf(spec.task));
  if (Outcome ok = run.model().forward(batch); !ok) return fail(ok.error());
  std::vector<double> weights;
  const ModelSpec& model = run.model().spec();
  for (std::int64_t l = 0; l < model.num_layers; ++l)
    for (std::int64_t h = 0; h < model.num_heads; ++h) {
      const std::span<const float> one = run.model().attention(l, 0, h);
      weights.insert(weights.end(), one.begin(), one.end());
    }
  return makeArray({model.num_layers, model.num_heads, batch.length, batch.length}, std::move(weights));
}

Outcome trainOn(TrainingRun& run, const Job& job, const LoopOptions& options) {
  if (!options.folder.empty())
    if (Outcome ok = makeFolder(options.folder); !ok) return ok;
  if (Outcome ok = look(run, job, options); !ok) return ok;
  Clock::time_point saved = Clock::now();
  while (!run.isFinished() && run.step() < options.until) {
    if (options.pause) options.pause->wait(job);
    if (job.stopped()) break;
    if (Outcome ok = run.advance(); !ok) return ok;
    if (Outcome ok = look(run, job, options); !ok) return ok;
    job.setProgress(static_cast<double>(run.step()) / static_cast<double>(run.spec().schedule.steps));
    if (options.after_step) options.after_step(run);
    if (options.folder.empty() || Clock::now() - saved < std::chrono::duration<double>(options.checkpoint_seconds))
      continue;
    if (Outcome ok = saveCheckpoint(run, options.folder); !ok) return ok;
    saved = Clock::now();
  }
  if (options.folder.empty()) return {};
  if (Outcome ok = saveCheckpoint(run, options.folder); !ok) return ok;
  return exportModel(run, options.folder);
}

}  // namespace posiscope::train

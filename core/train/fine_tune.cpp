// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/fine_tune.h"

#include "core/steps.h"
#include "core/train/evaluate.h"
#include "core/train/stretch.h"

namespace posiscope::train {
namespace {

/// 0, 10, 25, 50, 100, 250, 500, 1000 …: close together where the loss falls.
bool isLookedAt(std::int64_t step) {
  while (step > 100 && step % 10 == 0) step /= 10;
  return step == 0 || step == 10 || step == 25 || step == 50 || step == 100;
}

/// The run at the longer length, before the weights are put in.
RunSpec longerRun(const RunSpec& trained, PositionSpec position) {
  RunSpec spec = trained;
  const FineTune& tune = trained.fine_tune;
  spec.task = lengthened(trained.task, tune.factor);
  spec.model.position = std::move(position);
  spec.schedule.steps = tune.steps;
  spec.schedule.batch = tune.batch;
  spec.schedule.random_low = spec.schedule.random_high = 0;
  spec.schedule.snapshots = false;
  // The same shape of the learning rate, from its own height.
  spec.optimiser.lr_min *= spec.optimiser.lr > 0 ? tune.lr / spec.optimiser.lr : 0;
  spec.optimiser.lr = tune.lr;
  spec.optimiser.warmup = 0;
  return spec;
}

Outcome addPoint(TrainingRun& run, FineTuneCurve& curve, const Job& job) {
  const RunSpec& spec = run.spec();
  const Expected<Evaluation> found = evaluate(run.model(), run.task(), spec.task, spec.data_seed,
                                              spec.schedule.evaluate_count, sizeOf(spec.task), job);
  if (!found) return fail(found.error());
  curve.points.push_back({run.step(), found->loss, found->accuracy, found->last_eighth});
  return {};
}

Outcome tune(const TrainingRun& trained, const PositionSpec& position, FineTuneCurve& curve, const Job& job) {
  const RunSpec& spec = trained.spec();
  if (Outcome ok = trained.task().check(lengthenedSize(spec.task, spec.fine_tune.factor), Split::train); !ok) return ok;
  Expected<TrainingRun> run = TrainingRun::create(longerRun(trained.spec(), position));
  if (!run) return fail(run.error());
  if (Outcome ok = run->startFrom(trained.model()); !ok) return ok;
  if (Outcome ok = addPoint(*run, curve, job); !ok) return ok;
  while (!run->isFinished()) {
    if (job.stopped()) return fail(ErrorCode::cancelled, "train: cancelled", "训练：已取消");
    if (Outcome ok = run->advance(); !ok) return ok;
    job.setProgress(static_cast<double>(run->step()) / static_cast<double>(run->spec().schedule.steps));
    if (!isLookedAt(run->step()) && !run->isFinished()) continue;
    if (Outcome ok = addPoint(*run, curve, job); !ok) return ok;
  }
  return {};
}

}  // namespace

Expected<std::vector<FineTuneCurve>> fineTune(const TrainingRun& trained, const Job& job) {
  std::vector<FineTuneCurve> curves;
  const RunSpec& spec = trained.spec();
  if (spec.fine_tune.steps == 0) return curves;
  const std::vector<Stretch> all =
      stretches(spec.model.position, spec.fine_tune.factor, trained.task().tokens(sizeOf(spec.task)));
  Steps steps(job, all.size());
  for (const Stretch& stretch : all) {
    FineTuneCurve curve{stretch.scaling, {}, {}};
    if (Outcome ok = tune(trained, stretch.position, curve, steps.next()); !ok) {
      if (ok.error().code == ErrorCode::cancelled) return fail(ok.error());
      curve.points.clear();
      curve.refused = ok.error().message;
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

}  // namespace posiscope::train

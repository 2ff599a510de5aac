// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/cost.h"

#include "core/train/run.h"
#include "core/train/stretch.h"

#include <algorithm>
#include <chrono>

namespace posiscope::train {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr double longest_factor = 8;

/// Evaluations at all lengths in units of the one at the trained length, were every token equally dear.
double lengthUnits(const PositionSpec& position) {
  double units = 0;
  for (const double factor : {1.0, 1.5, 2.0, 4.0, longest_factor})
    units += factor * static_cast<double>(stretches(position, factor, 1).size());
  return units;
}

double bytesOf(const TrainingRun& run) {
  const auto bytes = [&](std::int64_t sequences, std::int64_t length) {
    return Model<float>::bytes(run.model().spec(), run.model().layout(), sequences, length);
  };
  const Schedule& schedule = run.spec().schedule;
  const std::int64_t length = run.task().tokens(sizeOf(run.spec().task));
  const double memory = 2.0 * sizeof(float) * static_cast<double>(run.model().layout().size);  // of the optimiser
  return memory + std::max(bytes(schedule.batch, length),
                           bytes(1, static_cast<std::int64_t>(longest_factor * static_cast<double>(length))));
}

/// One warm step, then one that counts; the same with the evaluation.
Expected<double> secondsOf(TrainingRun& run) {
  double step = 0, evaluation = 0;
  for (int turn = 0; turn < 2 && !run.isFinished(); ++turn) {
    const Clock::time_point start = Clock::now();
    if (Outcome ok = run.advance(); !ok) return fail(ok.error());
    step = secondsSince(start);
  }
  const Clock::time_point start = Clock::now();
  if (Outcome ok = run.evaluate(); !ok) return fail(ok.error());
  evaluation = secondsSince(start);
  const Schedule& s = run.spec().schedule;
  const auto evaluations = static_cast<double>(s.steps / s.evaluate_every + 2);
  // Index probe, without position, shuffled positions: about three more evaluations.
  const double measured = lengthUnits(run.spec().model.position) + 3;
  return step * static_cast<double>(s.steps) + evaluation * (evaluations + measured);
}

}  // namespace

Expected<Cost> costOf(const ComparisonSpec& spec, const Job& job) {
  Cost cost;
  for (const PositionSpec& position : spec.positions) {
    if (job.stopped()) return fail(ErrorCode::cancelled, "train: cancelled", "训练：已取消");
    RunSpec one = spec.run;
    one.model.position = position;
    one.seed = one.data_seed = spec.seeds.front();
    Expected<TrainingRun> run = TrainingRun::create(one);
    if (!run) return fail(run.error());
    const Expected<double> seconds = secondsOf(*run);
    if (!seconds) return fail(seconds.error());
    const auto seeds = static_cast<double>(spec.seeds.size());
    cost.seconds += *seconds * seeds;
    cost.steps += static_cast<double>(one.schedule.steps) * seeds;
    cost.bytes += bytesOf(*run);
    cost.parameters = std::max(cost.parameters, static_cast<double>(run->model().layout().size));
  }
  return cost;
}

}  // namespace posiscope::train

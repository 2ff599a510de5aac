// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/side_by_side.h"

#include "core/train/checkpoint.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace posiscope::train {
namespace {

/// Turns that each encoding has on its way through a run.
constexpr std::int64_t turns_of_run = 100;
/// How much of the time measuring takes, for the progress.
constexpr double measuring_share = 0.15;

class SideBySide {
 public:
  SideBySide(const ComparisonSpec& spec, const Job& job, const SideBySideOptions& options,
             const ComparisonListener& listener)
      : spec_(spec), job_(job), options_(options), listener_(listener), all_(spec.runs()) {}

  Outcome run() {
    for (std::size_t seed = 0; seed < spec_.seeds.size() && !job_.stopped(); ++seed) trainSeed(seed);
    if (job_.stopped()) return fail(ErrorCode::cancelled, "train: cancelled", "训练：已取消");
    return {};
  }

 private:
  struct Lane {
    std::size_t number;
    TrainingRun run;
    std::int64_t snapshot = -1;  ///< the last step whose attention was told
  };

  void trainSeed(std::size_t seed) {
    std::vector<Lane> lanes;
    for (std::size_t p = 0; p < spec_.positions.size() && !job_.stopped(); ++p) {
      const std::size_t number = p * spec_.seeds.size() + seed;
      Expected<TrainingRun> run = TrainingRun::create(all_[number]);
      if (!run) {
        refuse(number, run.error());
        continue;
      }
      if (listener_.advanced) listener_.advanced(number, *run);
      lanes.push_back({number, std::move(*run)});
    }
    while (!job_.stopped() && std::ranges::any_of(lanes, [](const Lane& l) { return !l.run.isFinished(); }))
      takeTurns(lanes);
    for (Lane& lane : lanes)
      if (!job_.stopped()) measureLane(lane);
  }

  void takeTurns(std::vector<Lane>& lanes) {
    for (auto lane = lanes.begin(); lane != lanes.end() && !job_.stopped();) {
      const Outcome ok = lane->run.isFinished() ? Outcome() : turn(*lane);
      if (ok) {
        ++lane;
        continue;
      }
      refuse(lane->number, ok.error());
      lane = lanes.erase(lane);
    }
  }

  Outcome turn(Lane& lane) {
    const std::int64_t steps = lane.run.spec().schedule.steps;
    const std::int64_t end = std::min(steps, lane.run.step() + std::max<std::int64_t>(1, steps / turns_of_run));
    Job part;
    LoopOptions loop;
    loop.pause = options_.pause;
    loop.after_step = [&](const TrainingRun& run) {
      if (listener_.advanced) listener_.advanced(lane.number, run);
      done_ += (1 - measuring_share) / static_cast<double>(steps);
      job_.setProgress(share());
      if (options_.between_steps) options_.between_steps();
      if (run.step() >= end || job_.stopped()) part.stop();
    };
    loop.snapshot = [&](const TrainingRun& run, const Array& attention) {
      if (run.step() <= lane.snapshot) return;  // a turn begins where the one before it ended
      lane.snapshot = run.step();
      if (listener_.snapshot) listener_.snapshot(lane.number, run.step(), attention);
    };
    return trainOn(lane.run, part, loop);
  }

  void measureLane(Lane& lane) {
    std::string folder;
    if (!options_.folder.empty()) {
      folder = options_.folder + "/" + runName(lane.run.spec(), lane.number + 1);
      std::error_code problem;
      std::filesystem::create_directories(folder, problem);  // a failure shows when the model is written
      if (Outcome ok = exportModel(lane.run, folder); !ok) return refuse(lane.number, ok.error());
    }
    const double before = share();
    done_ += measuring_share;
    const Expected<Results> found = measure(lane.run, job_.part(before, share()), folder);
    job_.setProgress(share());
    if (!found) return refuse(lane.number, found.error());
    if (listener_.measured) listener_.measured(lane.number, *found);
  }

  void refuse(std::size_t number, const Error& error) {
    if (error.code != ErrorCode::cancelled && listener_.refused) listener_.refused(number, error.message);
  }

  double share() const { return done_ / static_cast<double>(all_.size()); }

  const ComparisonSpec& spec_;
  const Job& job_;
  const SideBySideOptions& options_;
  const ComparisonListener& listener_;
  std::vector<RunSpec> all_;
  double done_ = 0;  ///< runs
};

}  // namespace

Outcome trainSideBySide(const ComparisonSpec& spec, const Job& job, const SideBySideOptions& options,
                        const ComparisonListener& listener) {
  return SideBySide(spec, job, options, listener).run();
}

}  // namespace posiscope::train

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/side_by_side.h"

#include "core/train/checkpoint.h"
#include "core/train/run_folder.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace posiscope::train {
namespace {

using Clock = std::chrono::steady_clock;

/// Turns that each encoding has on its way through a run.
constexpr std::int64_t turns_of_run = 100;
/// How much of the time measuring takes, for the progress.
constexpr double measuring_share = 0.15;

class SideBySide {
 public:
  SideBySide(const ComparisonSpec& spec, const Job& job, const SideBySideOptions& options,
             const ComparisonListener& listener)
      : spec_(spec),
        job_(job),
        options_(options),
        listener_(listener),
        all_(spec.runs()),
        keeps_(!options.folder.empty()) {}

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
    std::int64_t kept = -1;      ///< the step of its checkpoint
  };

  void trainSeed(std::size_t seed) {
    lanes_.clear();
    kept_at_ = Clock::now();
    for (std::size_t p = 0; p < spec_.positions.size() && !job_.stopped(); ++p) openLane(p * spec_.seeds.size() + seed);
    while (!job_.stopped() && std::ranges::any_of(lanes_, [](const Lane& l) { return !l.run.isFinished(); }))
      takeTurns();
    keep();
    for (Lane& lane : lanes_) {
      keepModel(lane);
      if (!job_.stopped()) measureLane(lane);
    }
  }

  /// Where it was left, or at its start.
  void openLane(std::size_t number) {
    Expected<TrainingRun> run = runOfFolder(all_[number], keeps_ ? folderOf(number) : std::string());
    if (!run) return refuse(number, run.error());
    Lane lane{number, std::move(*run)};
    if (listener_.advanced) listener_.advanced(number, lane.run);
    const std::int64_t before = lane.run.step();
    if (before > 0) {
      lane.kept = before;
      for (const auto& [step, attention] : keptSnapshots(folderOf(number), before)) {
        lane.snapshot = step;
        if (listener_.snapshot) listener_.snapshot(number, step, attention);
      }
      done_ += stepShare(lane.run) * static_cast<double>(before);
      // What was due there, had it not been stopped.
      if (Outcome ok = turn(lane, before); !ok) return refuse(number, ok.error());
    }
    lanes_.push_back(std::move(lane));
  }

  void takeTurns() {
    for (auto lane = lanes_.begin(); lane != lanes_.end() && !job_.stopped();) {
      const TrainingRun& run = lane->run;
      const std::int64_t steps = std::max<std::int64_t>(1, run.spec().schedule.steps / turns_of_run);
      const Outcome ok = run.isFinished() ? Outcome() : turn(*lane, run.step() + steps);
      if (ok) {
        ++lane;
        continue;
      }
      refuse(lane->number, ok.error());
      lane = lanes_.erase(lane);
    }
  }

  Outcome turn(Lane& lane, std::int64_t until) {
    LoopOptions loop;
    loop.pause = options_.pause;
    loop.until = until;
    loop.after_step = [&](const TrainingRun& run) {
      if (listener_.advanced) listener_.advanced(lane.number, run);
      done_ += stepShare(run);
      job_.setProgress(share());
      if (Clock::now() - kept_at_ >= std::chrono::duration<double>(options_.checkpoint_seconds)) keep();
      if (options_.between_steps) options_.between_steps();
    };
    loop.snapshot = [&](const TrainingRun& run, const Array& attention) {
      if (run.step() <= lane.snapshot) return;  // a turn begins where the one before it ended
      lane.snapshot = run.step();
      if (listener_.snapshot) listener_.snapshot(lane.number, run.step(), attention);
      if (keeps_) tellUnkept(keepSnapshot(folderOf(lane.number), run.step(), attention));
    };
    return trainOn(lane.run, job_.part(share(), share()), loop);  // how far all are is told above
  }

  void keep() {
    for (Lane& lane : lanes_) {
      if (!keeps_ || lane.run.step() == lane.kept) continue;
      const std::string folder = folderOf(lane.number);
      Outcome ok = makeFolder(folder);
      if (ok) ok = saveCheckpoint(lane.run, folder);
      tellUnkept(ok);
      lane.kept = lane.run.step();
    }
    kept_at_ = Clock::now();
  }

  void keepModel(const Lane& lane) {
    if (keeps_) tellUnkept(exportModel(lane.run, folderOf(lane.number)));
  }

  void tellUnkept(const Outcome& ok) {
    if (ok || !keeps_) return;
    keeps_ = false;
    if (listener_.not_kept) listener_.not_kept(ok.error());
  }

  void measureLane(Lane& lane) {
    const double before = share();
    done_ += measuring_share;
    const std::string folder = keeps_ ? folderOf(lane.number) : std::string();
    if (keeps_)
      if (const std::optional<Results> found = keptResults(lane.run, folder)) return told(lane, *found);
    const Expected<Results> found = measure(lane.run, job_.part(before, share()), folder);
    if (!found) return refuse(lane.number, found.error());
    if (keeps_) tellUnkept(keepResults(lane.run, *found, folder));
    told(lane, *found);
  }

  void told(const Lane& lane, const Results& results) {
    job_.setProgress(share());
    if (listener_.measured) listener_.measured(lane.number, results);
  }

  void refuse(std::size_t number, const Error& error) {
    if (error.code != ErrorCode::cancelled && listener_.refused) listener_.refused(number, error.message);
  }

  std::string folderOf(std::size_t number) const { return runFolder(options_.folder, all_[number], number); }
  double share() const { return done_ / static_cast<double>(all_.size()); }
  static double stepShare(const TrainingRun& run) {
    return (1 - measuring_share) / static_cast<double>(run.spec().schedule.steps);
  }

  const ComparisonSpec& spec_;
  const Job& job_;
  const SideBySideOptions& options_;
  const ComparisonListener& listener_;
  std::vector<RunSpec> all_;
  bool keeps_;
  std::vector<Lane> lanes_;  ///< of the seed that is trained now
  Clock::time_point kept_at_;
  double done_ = 0;  ///< runs
};

}  // namespace

std::string runFolder(const std::string& folder, const RunSpec& run, std::size_t number) {
  return folder + "/" + runName(run, number + 1);
}

Outcome trainSideBySide(const ComparisonSpec& spec, const Job& job, const SideBySideOptions& options,
                        const ComparisonListener& listener) {
  return SideBySide(spec, job, options, listener).run();
}

}  // namespace posiscope::train

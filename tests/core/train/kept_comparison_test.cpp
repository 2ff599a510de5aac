// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A comparison that is kept in a folder: it is stopped, gone on with, and measured once.
#include "core/train/checkpoint.h"
#include "core/train/run_folder.h"
#include "core/train/side_by_side.h"
#include "tests/core/train/small_run.h"
#include "tests/support/temporary_folder.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

namespace posiscope::train {
namespace {

/// Everything that a listener is told.
struct Told {
  std::set<std::size_t> begun;
  std::map<std::size_t, std::string> history;  ///< of finished runs
  std::map<std::size_t, std::map<std::int64_t, std::vector<double>>> attention;
  std::map<std::size_t, double> loss;
  std::int64_t steps = 0;  ///< that were trained

  ComparisonListener listener() {
    ComparisonListener to;
    to.advanced = [this](std::size_t number, const TrainingRun& run) {
      steps += begun.insert(number).second ? 0 : 1;  // the first time it is told where it begins
      if (run.isFinished()) history[number] = toJson(run.history()).dump();
    };
    to.snapshot = [this](std::size_t number, std::int64_t step, const Array& weights) {
      EXPECT_TRUE(attention[number].emplace(step, *weights.values).second) << step << " was told twice";
    };
    to.measured = [this](std::size_t number, const Results& results) { loss[number] = results.evaluation.loss; };
    to.not_kept = [](const Error& error) { ADD_FAILURE() << error.message.en; };
    return to;
  }
};

TEST(KeptComparison, GoesOnWhereItWasStopped) {
  const test::TemporaryFolder folder;
  const ComparisonSpec spec = smallComparison(200);
  SideBySideOptions options;
  options.folder = folder.file("kept");
  Job job;
  Told first;
  ComparisonListener stopping = first.listener();
  stopping.advanced = [&, told = stopping.advanced](std::size_t number, const TrainingRun& run) {
    told(number, run);
    if (first.steps == 101) job.stop();
  };
  ASSERT_FALSE(trainSideBySide(spec, job, options, stopping));
  EXPECT_TRUE(first.loss.empty());
  Told second;
  ASSERT_TRUE(trainSideBySide(spec, Job(), options, second.listener()));
  EXPECT_EQ(first.steps + second.steps, 4 * 200);

  Told alone;
  ASSERT_TRUE(trainSideBySide(spec, Job(), {}, alone.listener()));
  EXPECT_EQ(second.history, alone.history);
  EXPECT_EQ(second.attention, alone.attention);
  EXPECT_EQ(second.loss, alone.loss);
}

TEST(KeptComparison, TellsEverythingOnceMoreWithoutTraining) {
  const test::TemporaryFolder folder;
  SideBySideOptions options;
  options.folder = folder.file("kept");
  Told first, again;
  ASSERT_TRUE(trainSideBySide(smallComparison(8), Job(), options, first.listener()));
  ASSERT_TRUE(trainSideBySide(smallComparison(8), Job(), options, again.listener()));
  EXPECT_EQ(again.steps, 0);
  EXPECT_EQ(again.history, first.history);
  EXPECT_EQ(again.attention, first.attention);
  EXPECT_EQ(again.loss, first.loss);
}

TEST(KeptComparison, KeepsCheckpointsOnItsWay) {
  const test::TemporaryFolder folder;
  const ComparisonSpec spec = smallComparison(300);
  SideBySideOptions options;
  options.folder = folder.file("kept");
  options.checkpoint_seconds = 0;
  bool kept = false;
  ComparisonListener listener;
  listener.advanced = [&](std::size_t number, const TrainingRun& run) {
    if (run.step() == 100)
      kept = std::filesystem::exists(checkpointPath(runFolder(options.folder, run.spec(), number)));
  };
  ASSERT_TRUE(trainSideBySide(spec, Job(), options, listener));
  EXPECT_TRUE(kept);
}

/// Results of another run, or of another step of this one, are not this run's.
TEST(RunFolder, TakesOnlyItsOwnResults) {
  const test::TemporaryFolder folder;
  TrainingRun run = started(smallRun("learned", 4));
  ASSERT_TRUE(trainOn(run, Job(), {}));
  const Expected<Results> results = measure(run, Job());
  ASSERT_TRUE(results);
  ASSERT_TRUE(keepResults(run, *results, folder.file(".")));
  ASSERT_TRUE(keptResults(run, folder.file(".")));
  EXPECT_EQ(keptResults(run, folder.file("."))->evaluation.loss, results->evaluation.loss);
  EXPECT_FALSE(keptResults(started(smallRun("learned", 4)), folder.file(".")));
  TrainingRun other = started(smallRun("rope", 4));
  ASSERT_TRUE(trainOn(other, Job(), {}));
  EXPECT_FALSE(keptResults(other, folder.file(".")));
}

TEST(RunFolder, BeginsAnewWhereAnotherRunIs) {
  const test::TemporaryFolder folder;
  TrainingRun run = started(smallRun("learned", 4));
  ASSERT_TRUE(run.advance());
  ASSERT_TRUE(saveCheckpoint(run, folder.file(".")));
  EXPECT_EQ(runOfFolder(smallRun("learned", 4), folder.file("."))->step(), 1);
  EXPECT_EQ(runOfFolder(smallRun("learned", 5), folder.file("."))->step(), 0);
}

/// Measuring of so many examples would take minutes.
TEST(Measuring, EndsSoonAfterItsJob) {
  RunSpec spec = smallRun("learned", 1);
  spec.schedule.evaluate_count = 1 << 19;
  TrainingRun run = started(spec);
  const Job job;
  const auto start = std::chrono::steady_clock::now();
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    job.stop();
  });
  const Expected<Results> found = measure(run, job);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::cancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  ASSERT_FALSE(run.evaluate(job));
  EXPECT_TRUE(run.history().evaluations.empty());
}

}  // namespace
}  // namespace posiscope::train

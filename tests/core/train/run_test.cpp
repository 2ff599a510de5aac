// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/checkpoint.h"
#include "core/train/run_loop.h"
#include "tests/core/train/small_run.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <thread>

namespace posiscope::train {
namespace {

TEST(TrainingRun, IsTheSameEveryTime) {
  TrainingRun one = started(smallRun()), two = started(smallRun());
  ASSERT_TRUE(trainOn(one, Job{}, {}));
  ASSERT_TRUE(trainOn(two, Job{}, {}));
  EXPECT_EQ(parametersOf(one), parametersOf(two));
  ASSERT_EQ(one.history().steps.size(), 12u);
  EXPECT_EQ(one.history().steps.back().loss, two.history().steps.back().loss);
  // Every five steps, at the start and at the end.
  std::vector<std::int64_t> evaluated;
  for (const EvaluationRecord& e : one.history().evaluations) evaluated.push_back(e.step);
  EXPECT_EQ(evaluated, (std::vector<std::int64_t>{0, 5, 10, 12}));
}

TEST(TrainingRun, StartsWithTheSameWeightsWhateverTheEncoding) {
  const TrainingRun rope = started(smallRun("rope")), learned = started(smallRun("learned"));
  const std::vector<float> a = parametersOf(rope), b = parametersOf(learned);
  ASSERT_LT(a.size(), b.size());
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin()));
  RunSpec other = smallRun("rope");
  other.seed = 2;
  EXPECT_NE(a, parametersOf(started(other)));
}

TEST(TrainingRun, GoesOnFromItsCheckpointToTheSameBits) {
  for (const OptimiserKind kind : {OptimiserKind::adamw, OptimiserKind::sgd}) {
    RunSpec spec = smallRun("learned");
    spec.optimiser.kind = kind;
    TrainingRun through = started(spec);
    ASSERT_TRUE(trainOn(through, Job{}, {}));
    const test::TemporaryFolder folder;
    TrainingRun stopped = started(spec);
    Job job;
    LoopOptions options{.folder = folder.path()};
    options.after_step = [&](const TrainingRun& run) {
      if (run.step() == 7) job.stop();
    };
    ASSERT_TRUE(trainOn(stopped, job, options));
    EXPECT_EQ(stopped.step(), 7);
    Expected<TrainingRun> resumed = loadCheckpoint(folder.path());
    ASSERT_TRUE(resumed) << resumed.error().message.en;
    EXPECT_EQ(resumed->spec(), through.spec());
    EXPECT_EQ(resumed->step(), 7);
    ASSERT_TRUE(trainOn(*resumed, Job{}, {}));
    EXPECT_EQ(parametersOf(*resumed), parametersOf(through));
    ASSERT_EQ(resumed->history().steps.size(), through.history().steps.size());
    EXPECT_EQ(resumed->history().steps[3].loss, through.history().steps[3].loss);
    EXPECT_EQ(resumed->history().evaluations.size(), through.history().evaluations.size());
  }
}

TEST(TrainingRun, FineTunesAtAnotherLengthWithOtherConstants) {
  TrainingRun first = started(smallRun("rope"));
  ASSERT_TRUE(trainOn(first, Job{}, {}));
  RunSpec longer = smallRun("rope", 2);
  longer.task.length = 6;
  longer.model.position.values = {{"scaling", std::string("ntk")}, {"factor", 2.0}};
  TrainingRun tuned = started(longer);
  ASSERT_TRUE(tuned.startFrom(first.model()));
  EXPECT_EQ(parametersOf(tuned), parametersOf(first));
  ASSERT_TRUE(trainOn(tuned, Job{}, {}));
  EXPECT_EQ(tuned.step(), 2);
  TrainingRun other = started(smallRun("learned"));
  EXPECT_EQ(other.startFrom(first.model()).error().code, ErrorCode::bad_shape);
}

TEST(TrainingRun, DrawsItsLengthsWhenAsked) {
  RunSpec spec = smallRun("alibi", 30);
  spec.schedule.random_low = 2;
  spec.schedule.random_high = 5;
  TrainingRun run = started(spec);
  ASSERT_TRUE(trainOn(run, Job{}, {}));
  std::set<std::int64_t> lengths;
  for (const StepRecord& s : run.history().steps) lengths.insert(s.length);
  EXPECT_EQ(lengths, (std::set<std::int64_t>{5, 7, 9, 11}));  // 2m + 1
}

TEST(TrainingRun, RefusesBeforeTheFirstStep) {
  RunSpec spec = smallRun("learned");
  spec.model.position.values["rows"] = 6.0;
  EXPECT_EQ(TrainingRun::create(spec).error().code, ErrorCode::past_table);
  spec = smallRun();
  spec.schedule.random_low = 5;
  spec.schedule.random_high = 4;
  EXPECT_EQ(TrainingRun::create(spec).error().code, ErrorCode::out_of_range);
  spec = smallRun("learned_2d");
  EXPECT_EQ(TrainingRun::create(spec).error().code, ErrorCode::bad_shape);
}

TEST(TrainingRun, KeepsTheAttentionAtPowersOfTwoAndTheLastStep) {
  const test::TemporaryFolder folder;
  TrainingRun run = started(smallRun());
  ASSERT_TRUE(trainOn(run, Job{}, {.folder = folder.path()}));
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(folder.path() + "/attention"))
    names.push_back(file.path().filename());
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"00000000.npy", "00000001.npy", "00000002.npy", "00000004.npy",
                                             "00000008.npy", "00000012.npy"}));
}

TEST(TrainingRun, WaitsWhilePausedAndStopsThen) {
  TrainingRun run = started(smallRun());
  Pause pause;
  pause.set(true);
  Job job;
  std::thread other([&] { ASSERT_TRUE(trainOn(run, job, {.pause = &pause})); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  pause.set(false);
  other.join();
  EXPECT_TRUE(run.isFinished());
  // A job that is stopped ends a pause.
  TrainingRun second = started(smallRun());
  pause.set(true);
  job.stop();
  ASSERT_TRUE(trainOn(second, job, {.pause = &pause}));
  EXPECT_EQ(second.step(), 0);
}

}  // namespace
}  // namespace posiscope::train

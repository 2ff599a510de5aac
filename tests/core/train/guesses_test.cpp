// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/guesses.h"
#include "core/train/cost.h"
#include "core/train/ready_experiments.h"
#include "tests/core/train/small_run.h"

#include <cmath>
#include <set>

namespace posiscope::train {
namespace {

// The ceiling of masked copy, six of ten symbols: 0.337 and 1.472 by enumeration of all bags.
TEST(Guesses, OrderBlindCopyStopsAtItsKnownCeiling) {
  TaskSpec spec;
  const auto task = makeTask(spec, false);
  ASSERT_TRUE(task);
  const std::optional<Guess> guess = orderBlindGuess(spec, false, **task, 1, 20000);
  ASSERT_TRUE(guess);
  EXPECT_NEAR(guess->accuracy, 0.337, 0.003);
  EXPECT_NEAR(guess->loss, 1.472, 0.006);
  EXPECT_FALSE(orderBlindGuess(spec, true, **task, 1, 10));
}

TEST(Guesses, ChanceIsOneOfTheAnswersThereCanBe) {
  TaskSpec spec;
  spec.kind = TaskKind::index;
  spec.length = 32;
  const auto task = makeTask(spec, true);
  ASSERT_TRUE(task);
  EXPECT_DOUBLE_EQ(chanceGuess(spec, **task).accuracy, 1.0 / 32);
  EXPECT_DOUBLE_EQ(chanceGuess(spec, **task).loss, std::log(32));
  TaskSpec copy;
  const auto copying = makeTask(copy, true);
  ASSERT_TRUE(copying);
  EXPECT_DOUBLE_EQ(chanceGuess(copy, **copying).accuracy, 0.1);  // separator and mask are no answers
}

TEST(Cost, GrowsWithSeedsAndSteps) {
  ComparisonSpec spec;
  spec.run = smallRun("none", 1000);
  spec.positions = {{"none", {}}};
  spec.seeds = {1};
  const Expected<Cost> one = costOf(spec, Job());
  ASSERT_TRUE(one);
  EXPECT_GT(one->seconds, 0);
  EXPECT_GT(one->bytes, one->parameters * 4);
  spec.seeds = {1, 2, 3, 4, 5, 6, 7, 8};
  spec.run.schedule.steps = 4000;
  const Expected<Cost> many = costOf(spec, Job());
  ASSERT_TRUE(many);
  EXPECT_GT(many->seconds, 0);
  EXPECT_EQ(one->steps, 1000);  // clocks are too noisy to compare the seconds of both
  EXPECT_EQ(many->steps, 8 * 4000);
}

TEST(Cost, TellsWhatARunWouldRefuse) {
  ComparisonSpec spec;
  spec.run = smallRun("none", 10);
  spec.positions = {{"none", {}}, {"conditional", {}}};
  spec.seeds = {1};
  EXPECT_FALSE(costOf(spec, Job()));
}

TEST(ReadyExperiments, CanAllBeTrained) {
  std::set<std::string> ids;
  for (const ReadyExperiment& experiment : readyExperiments()) {
    EXPECT_TRUE(ids.insert(experiment.id).second);
    EXPECT_GE(experiment.spec.seeds.size(), 3u);
    for (const Text& text : {experiment.name, experiment.question, experiment.look_for})
      EXPECT_FALSE(text.en.empty() || text.zh.empty());
    for (const PositionSpec& position : experiment.spec.positions) {
      RunSpec run = experiment.spec.run;
      run.model.position = position;
      const Expected<TrainingRun> made = TrainingRun::create(run);
      EXPECT_TRUE(made) << position.scheme << ": " << made.error().message.en;
    }
  }
}

TEST(ReadyExperiments, EveryTaskCanBeChosen) {
  for (int kind = 0; kind <= static_cast<int>(TaskKind::text); ++kind) {
    const Expected<TrainingRun> run = TrainingRun::create(withUsualTask(RunSpec{}, static_cast<TaskKind>(kind)));
    EXPECT_TRUE(run) << kind << ": " << run.error().message.en;
  }
}

}  // namespace
}  // namespace posiscope::train

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/evaluate.h"
#include "core/train/metrics/head_scores.h"
#include "core/train/metrics/position_losses.h"
#include "core/train/probes.h"
#include "core/train/run_loop.h"
#include "tests/core/train/small_run.h"

#include <cmath>

namespace posiscope::train {
namespace {

TEST(PositionLosses, AreMeansOverTheCountedTargets) {
  const Batch batch{2, 3, std::nullopt, {0, 0, 0, 0, 0, 0}, {-1, 1, 2, -1, -1, 3}};
  const std::vector<double> losses{0, 4, 1, 0, 0, 2};
  const std::vector<double> means = positionLosses(batch, losses);
  EXPECT_TRUE(std::isnan(means[0]));
  EXPECT_EQ(means[1], 4);
  EXPECT_EQ(means[2], 1.5);
}

TEST(HeadScores, AreTheWeightsWhereTheHeadShouldLook) {
  // A cycle of two: the token after the last time is the one itself one place back minus one.
  const std::vector<float> weights{1, 0, 0, 0, 0.25f, 0.75f, 0, 0, 0.125f, 0.5f, 0.375f, 0, 0, 0.25f, 0.0625f, 0.6875f};
  EXPECT_NEAR(previousTokenScore(weights, 4), (0.25 + 0.5 + 0.0625) / 3, 1e-9);
  EXPECT_NEAR(inductionScore(weights, 4, 3), 0.25, 1e-9);
  EXPECT_NEAR(inductionScore(weights, 4, 2), (0.5 + 0.0625) / 2, 1e-9);
  EXPECT_TRUE(std::isnan(inductionScore(weights, 4, 4)));
  EXPECT_EQ(periodOf(std::vector<std::int32_t>{3, 1, 2, 3, 1}), 3);
  EXPECT_EQ(periodOf(std::vector<std::int32_t>{3, 1, 2}), 0);
}

TEST(RidgeProbe, ReadsWhatIsThereAndNothingElse) {
  RidgeProbe probe;
  const std::vector<double> rows{0, 1, 1, 1, 2, 1, 3, 1, 4, 1}, indices{0, 1, 2, 3, 4};
  probe.add(rows, 2, indices);
  probe.fit(1e-9);
  EXPECT_NEAR(probe.judge(rows, indices).r2, 1, 1e-6);
  EXPECT_EQ(probe.judge(rows, indices).hit, 1);
  RidgeProbe blind;
  const std::vector<double> same(10, 1.0);
  blind.add(same, 2, indices);
  blind.fit();
  EXPECT_NEAR(blind.judge(same, indices).r2, 0, 1e-12);
}

TEST(LengthCurve, SaysWhereThereIsNoAnswer) {
  RunSpec spec = smallRun("learned", 2);
  spec.model.position.values["rows"] = 12.0;  // 2m + 1: 7 at 1×, 9 at 1.5× (m rounds to 5: 11), 13 at 2×
  TrainingRun run = started(spec);
  const auto curve = lengthCurve(run.model(), run.task(), run.spec().task, 1, 4);
  ASSERT_EQ(curve.size(), 5u);
  EXPECT_TRUE(curve[0].found && curve[1].found);
  for (std::size_t i = 2; i < 5; ++i) {
    EXPECT_FALSE(curve[i].found) << i;
    EXPECT_NE(curve[i].refused.en.find("12 rows"), std::string::npos) << curve[i].refused.en;
    EXPECT_FALSE(curve[i].refused.zh.empty());
  }
}

TEST(LengthCurve, StretchesARotationAtEvaluationOnly) {
  TrainingRun run = started(smallRun("rope", 2));
  const PositionSpec before = run.model().spec().position;
  const std::vector<float> parameters = parametersOf(run);
  const auto curve = lengthCurve(run.model(), run.task(), run.spec().task, 1, 4);
  ASSERT_EQ(curve.size(), 1 + 4 * 4u);
  EXPECT_EQ(curve[1].scaling, "none");
  EXPECT_EQ(curve[2].scaling, "linear");
  EXPECT_NE(curve[1].found->loss, curve[2].found->loss);
  EXPECT_NE(curve[2].found->loss, curve[3].found->loss);
  EXPECT_EQ(curve[4].scaling, "yarn");
  EXPECT_NE(curve[3].found->loss, curve[4].found->loss);
  EXPECT_EQ(run.model().spec().position, before);
  EXPECT_EQ(parametersOf(run), parameters);
}

TEST(Evaluation, DoesNotDependOnHowItIsCut) {
  TrainingRun run = started(smallRun("alibi", 2));
  const TaskSpec& task = run.spec().task;
  const Evaluation whole = *evaluate(run.model(), run.task(), task, 1, 700, sizeOf(task));  // 292 at once
  double sum = 0;
  for (std::int64_t e = 0; e < 700; ++e) {
    const Batch one = makeBatch(run.task(), task, Split::evaluation, 1, e, 1, sizeOf(task));
    ASSERT_TRUE(run.model().forward(one));
    sum += run.model().loss(one).loss / 700;
  }
  EXPECT_NEAR(whole.loss, sum, 1e-6);
  EXPECT_EQ(whole.by_position.size(), 7u);
  EXPECT_TRUE(std::isnan(whole.by_position[0]));
  EXPECT_NEAR(whole.last_eighth, whole.by_position[6], 1e-12);
}

TEST(WithoutPosition, IsTheModelOfTheSameWordsAndWeights) {
  TrainingRun run = started(smallRun("none", 3));
  ASSERT_TRUE(trainOn(run, Job{}, {}));
  const TaskSpec& task = run.spec().task;
  const Evaluation plain = *evaluate(run.model(), run.task(), task, 1, 16, sizeOf(task));
  EXPECT_EQ(withoutPosition(run.model(), run.task(), task, 1, 16, sizeOf(task))->loss, plain.loss);
  TrainingRun learned = started(smallRun("learned", 3));
  const Evaluation with = *evaluate(learned.model(), learned.task(), task, 1, 16, sizeOf(task));
  EXPECT_NE(withoutPosition(learned.model(), learned.task(), task, 1, 16, sizeOf(task))->loss, with.loss);
}

}  // namespace
}  // namespace posiscope::train

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/seed_band.h"
#include "core/train/length_band.h"

#include <gtest/gtest.h>

#include <cmath>

namespace posiscope::train {
namespace {

History historyOf(std::vector<double> losses, double position_norm = 0) {
  History history;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    StepRecord step;
    step.step = static_cast<std::int64_t>(i) + 1;
    step.loss = losses[i];
    step.facts.position_norm = position_norm;
    step.facts.word_norm = 2;
    history.steps.push_back(step);
  }
  return history;
}

TEST(SeedBand, IsMeanLeastAndLargestWhereRunsAre) {
  const History a = historyOf({4, 2, 1}), b = historyOf({2, 0});
  const SeedBand band = seedBand(std::vector{&a, &b}, Quantity::loss, 1);
  EXPECT_EQ(band.x, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(band.mean, (std::vector<double>{3, 1, 1}));
  EXPECT_EQ(band.low, (std::vector<double>{2, 0, 1}));
  EXPECT_EQ(band.high, (std::vector<double>{4, 2, 1}));
}

TEST(SeedBand, SmoothsEachRunOverItsLastSteps) {
  const History a = historyOf({6, 2, 4, 0});
  const SeedBand band = seedBand(std::vector{&a}, Quantity::loss, 2);
  EXPECT_EQ(band.mean, (std::vector<double>{6, 4, 3, 2}));
}

TEST(SeedBand, HasNoGradientWhereThereAreNoParameters) {
  const History without = historyOf({1, 1}), with = historyOf({1, 1}, 0.5);
  EXPECT_TRUE(seedBand(std::vector{&without}, Quantity::position_gradient, 1).empty());
  EXPECT_TRUE(seedBand(std::vector{&without}, Quantity::gradient_ratio, 1).empty());
  EXPECT_EQ(seedBand(std::vector{&with}, Quantity::gradient_ratio, 1).mean, (std::vector<double>{0.25, 0.25}));
}

TEST(SeedBand, TakesTheStrongestHead) {
  History history;
  const double none = std::nan("");
  history.heads = {{0, 0, 0, 0.1, none, "local"}, {0, 1, 0, 0.7, none, "mixed"}, {4, 0, 0, 0.3, none, "local"}};
  EXPECT_EQ(seedBand(std::vector{&history}, Quantity::previous_token, 1).mean, (std::vector<double>{0.7, 0.3}));
  EXPECT_TRUE(seedBand(std::vector{&history}, Quantity::induction, 1).empty());
  EXPECT_EQ(kindBand(std::vector{&history}, "local").mean, (std::vector<double>{1, 1}));
  EXPECT_EQ(kindBand(std::vector{&history}, "mixed").mean, (std::vector<double>{1, 0}));
}

LengthPoint pointOf(double factor, const char* scaling, double loss) {
  LengthPoint point{factor, scaling, Evaluation{}, {}};
  point.found->loss = loss;
  point.found->last_eighth = 10 * loss;
  point.found->by_position = {std::nan(""), loss};
  return point;
}

TEST(LengthBands, StartEveryScalingAtTheTrainedLength) {
  Results results;
  results.lengths = {pointOf(1, "none", 1), pointOf(2, "none", 4), pointOf(2, "ntk", 2)};
  const std::vector<ScalingBand> bands = lengthBands(std::vector<const Results*>{&results}, LengthLoss::whole);
  ASSERT_EQ(bands.size(), 2u);
  EXPECT_EQ(bands[0].band.mean, (std::vector<double>{1, 4}));
  EXPECT_EQ(bands[1].scaling, "ntk");
  EXPECT_EQ(bands[1].band.mean, (std::vector<double>{1, 2}));
  EXPECT_EQ(lengthBands(std::vector<const Results*>{&results}, LengthLoss::last_eighth)[0].band.mean.back(), 40);
}

TEST(LengthBands, LeaveOutPositionsWithoutATarget) {
  Results results;
  results.lengths = {pointOf(1, "none", 1), pointOf(2, "none", 4)};
  const std::vector<ScalingBand> bands = positionBands(std::vector<const Results*>{&results}, 2);
  ASSERT_EQ(bands.size(), 1u);
  EXPECT_EQ(bands[0].band.x, (std::vector<double>{1}));
  EXPECT_EQ(bands[0].band.mean, (std::vector<double>{4}));
}

TEST(LengthBands, FollowAFineTuneByItsScaling) {
  Results a, b;
  a.fine_tune = {{"none", {{0, 3, 0, 0}, {10, 1, 0, 0}}, {}}, {"ntk", {{0, 2, 0, 0}}, {}}};
  b.fine_tune = {{"none", {{0, 5, 0, 0}, {10, 2, 0, 0}}, {}}};
  const std::vector<ScalingBand> bands = fineTuneBands(std::vector<const Results*>{&a, &b});
  ASSERT_EQ(bands.size(), 2u);
  EXPECT_EQ(bands[0].band.x, (std::vector<double>{0, 10}));
  EXPECT_EQ(bands[0].band.mean, (std::vector<double>{4, 1.5}));
  EXPECT_EQ(bands[0].band.high, (std::vector<double>{5, 2}));
  EXPECT_EQ(bands[1].scaling, "ntk");
}

TEST(LengthBands, SayFromWhereOnAnEncodingCannot) {
  Results results;
  results.lengths = {
      pointOf(1, "none", 1), {4, "none", std::nullopt, {"no", "不"}}, {2, "none", std::nullopt, {"no", "不"}}};
  EXPECT_EQ(refusedFrom(std::vector<const Results*>{&results}), 2);
  results.lengths.resize(1);
  EXPECT_FALSE(refusedFrom(std::vector<const Results*>{&results}));
}

}  // namespace
}  // namespace posiscope::train

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile.h"

#include <cmath>
#include <gtest/gtest.h>

namespace posiscope {
namespace {

RotationPart rotation(std::int64_t tokens, double first = 0, double step = 1) {
  RotationPart part;
  part.rotary_dim = 8;
  part.frequency = {1, 0.1, 0.01, 0.001};
  for (std::int64_t t = 0; t < tokens; ++t) part.position.push_back(first + step * static_cast<double>(t));
  return part;
}

TEST(PhaseRun, isAsGoodAsSinesAndCosines) {
  for (const double step : {1.0, 0.3, 1e-4, 2.5}) {
    const PhaseRun run(step);
    PhaseRun::Lane c;
    PhaseRun::Lane s;
    for (const double start : {0.0, 7.0, 1048575.0}) {
      run.fill(start, c, s);
      for (std::size_t d = 0; d < PhaseRun::width; ++d) {
        const double angle = start + static_cast<double>(d) * step;
        const double allowed = 1e-14 + 4e-16 * angle;  // the sum above is itself rounded
        EXPECT_NEAR(c[d], std::cos(angle), allowed);
        EXPECT_NEAR(s[d], std::sin(angle), allowed);
      }
    }
  }
}

TEST(OffsetRotation, needsEvenlySpacedPositions) {
  EXPECT_TRUE(offsetRotation(rotation(50, 0.1), 0));
  EXPECT_EQ(offsetRotation(rotation(50, 0.1), 0)->frequency[1], 0.1);
  EXPECT_NEAR(offsetRotation(rotation(50, 0, 0.25), 0)->frequency[0], 0.25, 1e-15);
  RotationPart again = rotation(50);
  again.position[20] = 0;
  EXPECT_FALSE(offsetRotation(again, 0));
}

TEST(OffsetScores, equalTheSumOfTheFormula) {
  RotationPart part = rotation(10);
  part.attention_factor = 1.5;
  part.log_magnitude = {-0.001, -0.0005, 0, 0};
  const OffsetRotation even = *offsetRotation(part, 0);
  const PairWeights weights{{1, 2, -3, 0.5}, {0.5, -1, 0, 2}};
  const auto scores = offsetScores(even, {&weights, 1}, -200, 2500, Job{});
  ASSERT_EQ(scores.size(), 1U);
  for (std::size_t k = 0; k < 2500; ++k) {
    const double n = static_cast<double>(k) - 200;
    double sum = 0;
    for (std::size_t p = 0; p < 4; ++p)
      sum += std::exp(n * part.log_magnitude[p]) *
             (weights.even[p] * std::cos(n * part.frequency[p]) + weights.odd[p] * std::sin(n * part.frequency[p]));
    EXPECT_NEAR(scores[0][k], 2.25 * sum, 1e-12);
  }
}

TEST(BoundProfile, isTheMeanOfThePartialSums) {
  const std::vector<double> w{1, 0.1, 0.01, 0.001};
  const std::vector<double> bound = boundProfile(w, 0, 300, Job{});
  EXPECT_NEAR(bound[0], 2.5, 1e-15);
  for (std::size_t n = 0; n < 300; ++n) {
    double total = 0;
    double real = 0;
    double imaginary = 0;
    for (const double f : w) {
      real += std::cos(static_cast<double>(n) * f);
      imaginary += std::sin(static_cast<double>(n) * f);
      total += std::hypot(real, imaginary);
    }
    EXPECT_NEAR(bound[n], total / 4, 1e-12);
  }
}

TEST(Profiles, areEmptyWhenStopped) {
  const Job job;
  job.stop();
  EXPECT_TRUE(onesScores(*offsetRotation(rotation(10), 0), 0, 10, job).empty());
  EXPECT_TRUE(boundProfile(std::vector<double>{1.0}, 0, 10, job).empty());
}

}  // namespace
}  // namespace posiscope

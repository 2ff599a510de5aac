// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/heads/lift_profile.h"

#include <gtest/gtest.h>
#include <cmath>
#include <numbers>

namespace posiscope::heads {
namespace {

template <class F>
std::vector<double> profile(int count, F value) {
  std::vector<double> values;
  for (int d = 1; d <= count; ++d) values.push_back(value(static_cast<double>(d)));
  return values;
}

TEST(LiftProfile, aWaveComesBackAfterItsPeriod) {
  const auto wave = profile(48, [](double d) { return 1 + std::cos(2 * std::numbers::pi * d / 6); });
  const Periodicity found = periodicity(wave, {});
  EXPECT_EQ(found.period, 6);
  EXPECT_NEAR(found.score, 1, 0.05);
  EXPECT_NEAR(found.cv, std::sqrt(0.5), 1e-6);
  const std::vector<double> r = autocorrelation(wave);
  EXPECT_EQ(r.size(), 26U);
  EXPECT_NEAR(r[0], 1, 1e-12);
  EXPECT_LT(r[3], -0.9);
}

TEST(LiftProfile, aDecayHasNoPeriodAlthoughItIsLikeItself) {
  const auto decay = profile(48, [](double d) { return std::exp(-d / 20); });
  EXPECT_EQ(periodicity(decay, {}).score, 0);
  EXPECT_GT(periodicity(decay, {}).cv, 0.2);
}

TEST(LiftProfile, aPeakMustStandAboveTheValleyBeforeIt) {
  const auto ripple =
      profile(64, [](double d) { return std::exp(-d / 60) + 0.12 * std::cos(2 * std::numbers::pi * d / 8); });
  EXPECT_EQ(periodicity(ripple, {}).score, 0);
  Thresholds easy;
  easy.prominence = 0.01;
  EXPECT_EQ(periodicity(ripple, easy).period, 8);
}

TEST(LiftProfile, shortOrFlatOnesHaveNone) {
  const auto wave = profile(7, [](double d) { return 1 + std::cos(std::numbers::pi * d); });
  EXPECT_EQ(periodicity(wave, {}).score, 0);
  EXPECT_EQ(periodicity(wave, {}).period, 0);
  // 0 2 0 2 0 2 0: mean 6/7, variance 12/7 − 36/49
  EXPECT_NEAR(periodicity(wave, {}).cv, std::sqrt(12.0 / 7 - 36.0 / 49) / (6.0 / 7), 1e-12) << "it varies all the same";
  Thresholds short_too;
  short_too.periodic_min_lags = 4;
  EXPECT_EQ(periodicity(wave, short_too).period, 2);
  EXPECT_EQ(periodicity(std::vector<double>(30, 1.0), {}).cv, 0);
  EXPECT_EQ(periodicity(std::vector<double>{}, {}).score, 0);
  EXPECT_EQ(autocorrelation(std::vector<double>(30, 1.0)), std::vector<double>(17));
  short_too.periodic_min_lags = 2;  // the fewest that can be asked for
  for (int count = 0; count < 6; ++count)
    EXPECT_EQ(periodicity(profile(count, [](double d) { return d; }), short_too).score, 0);
}

}  // namespace
}  // namespace posiscope::heads

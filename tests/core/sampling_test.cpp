// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sampling.h"

#include "core/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace posiscope {
namespace {

TEST(Sampling, quantileInvertsTheDistribution) {
  for (const double u : {1e-300, 1e-20, 1e-9, 0.001, 0.02425, 0.1, 0.3, 0.5})
    EXPECT_NEAR(normalCdf(normalQuantile(u)) / u, 1, 1e-13) << u;
  for (const double u : {0.6, 0.9, 0.99, 0.9999}) EXPECT_NEAR(normalCdf(normalQuantile(u)), u, 2e-16) << u;
}

TEST(Sampling, quantileOfTabulatedProbabilities) {
  EXPECT_NEAR(normalQuantile(0.5), 0, 1e-16);
  EXPECT_NEAR(normalQuantile(0.975), 1.959963984540054, 2e-15);
  EXPECT_NEAR(normalQuantile(0.001), -3.090232306167813, 3e-15);
  EXPECT_NEAR(normalQuantile(1e-10), -6.361340902404056, 6e-15);
  EXPECT_EQ(normalQuantile(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(normalQuantile(1), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(normalQuantile(1.5)));
}

TEST(Sampling, truncationEndsAtItsBounds) {
  EXPECT_NEAR(truncatedNormalQuantile(0, -2, 2), -2, 1e-14);
  EXPECT_NEAR(truncatedNormalQuantile(1, -2, 2), 2, 1e-14);
  EXPECT_NEAR(truncatedNormalQuantile(0.5, -2, 2), 0, 1e-16);
  EXPECT_NEAR(truncatedNormalQuantile(0.1, -2, 2), -truncatedNormalQuantile(0.9, -2, 2), 1e-14);
}

TEST(Sampling, roundingNeverCarriesAValuePastItsBounds) {
  for (int step = 1; step < 400; ++step) {
    const double bound = 0.01 * step;
    EXPECT_LE(truncatedNormalQuantile(1, -bound, bound), bound);
    EXPECT_GE(truncatedNormalQuantile(0, -bound, bound), -bound);
  }
}

struct Moments {
  double mean = 0;
  double std = 0;
  double largest = 0;
};
Moments momentsOf(const std::vector<double>& values) {
  Moments m;
  const auto n = static_cast<double>(values.size());
  for (const double v : values) m.mean += v / n;
  for (const double v : values) m.std += (v - m.mean) * (v - m.mean) / n;
  m.std = std::sqrt(m.std);
  for (const double v : values) m.largest = std::max(m.largest, std::abs(v));
  return m;
}

TEST(Sampling, drawnTablesHaveTheirMoments) {
  constexpr std::int64_t count = 512 * 768;
  const double n = count;
  const Moments normal = momentsOf(drawnTable(3, Draw::normal, 0.02, count));
  EXPECT_LT(std::abs(normal.mean), 5 * 0.02 / std::sqrt(n));
  EXPECT_LT(std::abs(normal.std - 0.02), 5 * 0.02 * std::sqrt(2 / (4 * n)));
  EXPECT_GT(normal.largest, 0.07);

  // Redrawn beyond ±2σ, not stretched: std 0.879626 σ, excess kurtosis −0.63446.
  const Moments truncated = momentsOf(drawnTable(3, Draw::truncated_normal, 0.02, count));
  const double std = 0.879626 * 0.02;
  EXPECT_LT(std::abs(truncated.mean), 5 * std / std::sqrt(n));
  EXPECT_LT(std::abs(truncated.std - std), 5 * std * std::sqrt((2 - 0.63446) / (4 * n)));
  EXPECT_LE(truncated.largest, 0.04);
}

TEST(Sampling, aLongerTableBeginsLikeAShorterOneOnAnyNumberOfThreads) {
  const int before = threads();
  setThreads(1);
  const std::vector<double> one = drawnTable(7, Draw::normal, 1, 10000);
  setThreads(3);
  std::vector<double> three = drawnTable(7, Draw::normal, 1, 20000);
  setThreads(before);
  three.resize(one.size());
  EXPECT_EQ(one, three);
  EXPECT_NE(one, drawnTable(8, Draw::normal, 1, 10000));
}

}  // namespace
}  // namespace posiscope

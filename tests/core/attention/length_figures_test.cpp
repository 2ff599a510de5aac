// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/length_figures.h"

#include <gtest/gtest.h>
#include <cmath>
#include <functional>
#include <vector>

namespace posiscope::attention {
namespace {

std::vector<double> bias(int length, const std::function<double(double)>& at) {
  std::vector<double> values;
  for (int d = 0; d < length; ++d) values.push_back(at(d));
  return values;
}

TEST(LengthFigures, withoutABiasGrowWithTheLength) {
  for (const int length : {8, 64, 512}) {
    const LengthFigures f = lengthFigures(bias(length, [](double) { return 3.0; }));
    EXPECT_NEAR(f.entropy, std::log(length), 1e-12);
    EXPECT_NEAR(f.entropy_norm, 1, 1e-12);
    EXPECT_NEAR(f.perplexity, length, 1e-9);
    EXPECT_NEAR(f.expected_distance, (length - 1) / 2.0, 1e-9);
  }
}

TEST(LengthFigures, ofALineEndWhereItsSlopeSays) {
  // ceil(ln 10 / m) − 1 for an endless sequence.
  EXPECT_EQ(lengthFigures(bias(512, [](double d) { return -d / 2; })).effective_range, 4);
  EXPECT_EQ(lengthFigures(bias(4096, [](double d) { return -d / 16; })).effective_range, 36);
  EXPECT_EQ(lengthFigures(bias(512, [](double d) { return -d / 2; }), 0.99).effective_range, 9);
  EXPECT_EQ(lengthFigures(bias(512, [](double d) { return -d / 256; })).effective_range, 385);
}

TEST(LengthFigures, rangesMetExactlyAreNotLostToRounding) {
  EXPECT_EQ(lengthFigures(bias(10, [](double) { return 0.0; })).effective_range, 8);  // nine tenths
}

TEST(LengthFigures, surviveOneTokenAndHugeBiases) {
  const LengthFigures one = lengthFigures(std::vector{7.0});
  EXPECT_EQ(one.entropy, 0);
  EXPECT_EQ(one.entropy_norm, 0);
  EXPECT_EQ(one.perplexity, 1);
  EXPECT_EQ(one.effective_range, 0);
  const LengthFigures huge = lengthFigures(std::vector{-1e4, 1e4});
  EXPECT_EQ(huge.expected_distance, 1);
  EXPECT_EQ(huge.entropy, 0);
}

TEST(AttenuationDistance, isTheFirstThatHasFallenSoFar) {
  EXPECT_EQ(attenuationDistance(bias(64, [](double d) { return -2 * std::log1p(d / 2); }), std::log(100)), 18);
  EXPECT_EQ(attenuationDistance(bias(64, [](double d) { return 5 - d / 2; }), 1), 2);
  EXPECT_EQ(attenuationDistance(bias(64, [](double) { return 0.0; }), 1), -1);
}

}  // namespace
}  // namespace posiscope::attention

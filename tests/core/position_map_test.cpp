// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/position_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace posiscope {
namespace {

constexpr TokenRun tokens{97, 0};

/// Every pair of the past, i ≥ j.
template <class F>
void forPast(F f) {
  for (std::int64_t i = 0; i < tokens.count; ++i)
    for (std::int64_t j = 0; j <= i; ++j) f(i, j);
}

TEST(PositionMap, selfExtendFollowsItsFormula) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 40; ++round) {
    const auto group = static_cast<std::int64_t>(random() % 9) + 1;
    const auto window = static_cast<std::int64_t>(random() % 40) + 1;
    const PositionMap map = selfExtendMap(tokens, group, window);
    double largest = 0;
    forPast([&](std::int64_t i, std::int64_t j) {
      const std::int64_t far = i / group + window - window / group - j / group;
      ASSERT_EQ(map.at(i, j), static_cast<double>(i - j < window ? i - j : far)) << group << " " << window;
      largest = std::max(largest, map.at(i, j));
    });
    const std::int64_t last = tokens.count - 1;
    ASSERT_LE(largest, std::max<double>(static_cast<double>(last / group + window - window / group),
                                        static_cast<double>(window - 1)));
    // At the border it goes on with W, or W + 1 when the group does not divide the window.
    for (std::int64_t j = 0; j + window < tokens.count; ++j) {
      const double step = map.at(j + window, j) - static_cast<double>(window);
      ASSERT_TRUE(step == 0 || (step == 1 && window % group != 0)) << group << " " << window << " " << j;
    }
  }
}

TEST(PositionMap, reropeAndItsLeakyFormDependOnTheOffsetAlone) {
  for (const std::int64_t window : {1, 2, 7, 96, 200}) {
    const PositionMap cut = reropeMap(tokens, window);
    const PositionMap leaky = leakyReropeMap(tokens, window, 3.0);
    for (std::int64_t i = 0; i < tokens.count; ++i)
      for (std::int64_t j = 0; j < tokens.count; ++j) {
        const auto n = static_cast<double>(i - j), w = static_cast<double>(window);
        const bool near = std::abs(n) < w;
        ASSERT_EQ(cut.at(i, j), near ? n : w);
        ASSERT_NEAR(leaky.at(i, j), near ? n : w + (n - w) / 3.0, 1e-12);
      }
  }
}

TEST(PositionMap, leakyIsRopeWithFactorOneAndReropeInTheLimit) {
  const PositionMap plain = leakyReropeMap(tokens, 5, 1.0);
  const PositionMap flat = leakyReropeMap(tokens, 5, 1e12);
  const PositionMap cut = reropeMap(tokens, 5);
  forPast([&](std::int64_t i, std::int64_t j) {
    ASSERT_NEAR(plain.at(i, j), static_cast<double>(i - j), 1e-12);
    ASSERT_NEAR(flat.at(i, j), cut.at(i, j), 1e-9);
  });
}

TEST(PositionMap, dualChunkIsExactNearbyAndCapped) {
  for (const auto& [c, l] : {std::pair{12, 4}, {12, 2}, {30, 10}, {8, 1}}) {  // l ≤ s and s > c/2
    const PositionMap map = dualChunkMap(tokens, c, l);
    forPast([&, c = c, l = l](std::int64_t i, std::int64_t j) {
      const double m = map.at(i, j);
      const bool near = i - j <= l, far = i / (c - l) - j / (c - l) > 1;
      ASSERT_TRUE(!near || m == static_cast<double>(i - j)) << c << " " << l << " " << i << " " << j;
      ASSERT_TRUE(!far || m > l) << c << " " << l << " " << i << " " << j;
      ASSERT_LE(m, c);
      ASSERT_GE(m, 0);
    });
  }
}

TEST(PositionMap, shortChunksReachTwiceTheirLength) {
  const PositionMap map = dualChunkMap(tokens, 12, 9);  // s = 3: the far query stands at 2s − 1
  EXPECT_EQ(map.at(96, 0), 5);
  EXPECT_EQ(map.at(96, 2), 3);
}

TEST(PositionMap, everythingIsPlainInsideTheWindowOrOneChunk) {
  for (const double first : {0.0, 100.0}) {
    const TokenRun few{9, first};
    for (const PositionMap& map : {selfExtendMap(few, 4, 9), reropeMap(few, 9), leakyReropeMap(few, 9, 4)})
      for (std::int64_t i = 0; i < few.count; ++i)
        for (std::int64_t j = 0; j <= i; ++j) ASSERT_EQ(map.at(i, j), static_cast<double>(i - j));
  }
  const PositionMap chunk = dualChunkMap({9, 0}, 12, 3);
  for (std::int64_t i = 0; i < 9; ++i)
    for (std::int64_t j = 0; j < 9; ++j) ASSERT_EQ(chunk.at(i, j), static_cast<double>(i - j));
}

TEST(PositionMap, groupsAndChunksBelowZeroGoOnEvenly) {
  const PositionMap grouped = selfExtendMap({40, -20}, 4, 2);
  EXPECT_EQ(grouped.at(39, 0), 4 + 2 - 0 + 5);  // floor(19/4) + 2 − floor(2/4) − floor(−20/4)
  const PositionMap chunks = dualChunkMap({20, -10}, 8, 3);
  EXPECT_EQ(chunks.at(4, 0), 4);  // −6 and −10 lie in one chunk of 5
  EXPECT_EQ(chunks.at(5, 4), 1);  // −5 opens the next
}

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/buckets.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace posiscope {
namespace {

using Edges = std::vector<std::int64_t>;

TEST(Buckets, edgesOfT5) {
  EXPECT_EQ(bucketEdges(16, 128), (Edges{0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91}));
  EXPECT_EQ(bucketEdges(32, 128), (Edges{0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                         16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113}));
}

TEST(Buckets, bordersThatRoundedLogarithmsMiss) {
  // (20 buckets, 160): 5·2^k for every k; (6, 81): 1·3^k …: exact powers, one bucket low in plain float64.
  const Edges twenty = bucketEdges(10, 160);
  EXPECT_EQ(twenty, (Edges{0, 1, 2, 3, 4, 5, 10, 20, 40, 80}));
  EXPECT_EQ(bucketEdges(3, 81), (Edges{0, 1, 9}));
  EXPECT_EQ(bucketEdges(7, 243), (Edges{0, 1, 2, 3, 9, 27, 81}));
}

TEST(Buckets, edgesObeyTheirDefinitionInWholeNumbers) {
  // x^m ≥ D^k·e^(m−k) decided with 128 bits where that suffices.
  for (const auto& [side, distance] : {std::array{8, 40}, {6, 1000}, {10, 320}, {12, 100}, {2, 7}, {3, 2}, {9, 5}}) {
    const Edges edges = bucketEdges(side, distance);
    const int near = side / 2;
    const int m = side - near;
    const auto power = [](__uint128_t base, int exponent) {
      __uint128_t product = 1;
      for (int e = 0; e < exponent; ++e) product *= base;
      return product;
    };
    for (int k = 0; k < m; ++k) {
      const auto x = static_cast<__uint128_t>(edges[static_cast<std::size_t>(near + k)]);
      const __uint128_t border =
          power(static_cast<__uint128_t>(distance), k) * power(static_cast<__uint128_t>(near), m - k);
      EXPECT_TRUE(power(x, m) >= border) << side << " " << distance << " step " << k;
      EXPECT_TRUE(k == 0 || power(x - 1, m) < border) << side << " " << distance << " step " << k;
    }
  }
}

TEST(Buckets, sidesMirrorAndTheMiddleBucketStaysEmpty) {
  const BucketParams p;
  const Edges edges = bucketEdges(p.side(), p.max_distance);
  EXPECT_EQ(bucketOf(p, edges, 0), 0);
  for (std::int64_t r = 1; r <= 300; ++r) {
    EXPECT_EQ(bucketOf(p, edges, r), bucketOf(p, edges, -r) + 16);
    EXPECT_NE(bucketOf(p, edges, r), 16);
    EXPECT_GE(bucketOf(p, edges, -r), bucketOf(p, edges, 1 - r));
  }
  EXPECT_EQ(bucketOf(p, edges, -90), 14);
  EXPECT_EQ(bucketOf(p, edges, -91), 15);
  EXPECT_EQ(bucketOf(p, edges, -1000000), 15);
}

TEST(Buckets, oneDirectionPutsTheFutureInBucketZero) {
  const BucketParams p{.num_buckets = 32, .max_distance = 128, .bidirectional = false};
  const Edges edges = bucketEdges(p.side(), p.max_distance);
  for (const std::int64_t r : {0, 1, 7, 500}) EXPECT_EQ(bucketOf(p, edges, r), 0);
  EXPECT_EQ(bucketOf(p, edges, -112), 30);
  EXPECT_EQ(bucketOf(p, edges, -113), 31);
}

TEST(Buckets, emptyBucketsAreSkipped) {
  // More buckets than distances (96, 81): the bucket of x is still the formula's.
  const BucketParams p{.num_buckets = 96, .max_distance = 81, .bidirectional = true};
  const Edges edges = bucketEdges(48, 81);
  for (std::int64_t x = 24; x < 81; ++x) {
    const double v = std::log(static_cast<double>(x) / 24) / std::log(81.0 / 24) * 24;
    const auto expected = std::min<std::int64_t>(47, 24 + static_cast<std::int64_t>(std::floor(v + 1e-9)));
    EXPECT_EQ(bucketOf(p, edges, -x), expected) << x;
  }
}

TEST(Buckets, refusesTooFew) {
  EXPECT_EQ(checkBuckets("t5_log", {.num_buckets = 3, .max_distance = 128, .bidirectional = true}).error().message.en,
            "t5_log: num_buckets must be at least 4 when bidirectional, got 3");
  EXPECT_FALSE(checkBuckets("t5_log", {.num_buckets = 1, .max_distance = 128, .bidirectional = false}));
  EXPECT_EQ(checkBuckets("t5_log", {.num_buckets = 32, .max_distance = 8, .bidirectional = true}).error().code,
            ErrorCode::out_of_range);
  EXPECT_TRUE(checkBuckets("t5_log", {.num_buckets = 32, .max_distance = 9, .bidirectional = true}));
}

}  // namespace
}  // namespace posiscope

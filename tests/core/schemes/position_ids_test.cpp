// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/position_ids.h"

#include "tests/support/attending.h"
#include "tests/support/encoded.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace posiscope {
namespace {

using Ids = std::vector<double>;

Ids idsOf(const IdParams& p, std::int64_t tokens, double first = 0) {
  const auto ids = positionIds(p, tokens, first);
  EXPECT_TRUE(ids) << ids.error().message.en;
  return ids ? *ids : Ids{};
}

std::string refusalOf(const IdParams& p, std::int64_t tokens) {
  const auto ids = positionIds(p, tokens, 0);
  if (ids) return "accepted";
  EXPECT_FALSE(ids.error().message.zh.empty());
  return ids.error().message.en;
}

TEST(PositionIds, offsetMovesAndMayBeNegative) {
  EXPECT_EQ(idsOf({.rule = IdRule::offset, .offset = -3}, 4), (Ids{-3, -2, -1, 0}));
  EXPECT_EQ(idsOf({.rule = IdRule::offset, .offset = 100}, 3, 7), (Ids{107, 108, 109}));
}

TEST(PositionIds, drawnPositionsAreDifferentSortedAndRepeatable) {
  for (const std::int64_t tokens : {1, 2, 63, 512})
    for (const std::int64_t range : {tokens, tokens + 1, std::int64_t{100000}})
      for (const std::int64_t seed : {1, 2, 3}) {
        const IdParams p{.rule = IdRule::sorted_sample, .range = range, .seed = seed};
        const Ids ids = idsOf(p, tokens);
        ASSERT_EQ(static_cast<std::int64_t>(ids.size()), tokens);
        ASSERT_TRUE(std::ranges::is_sorted(ids, std::less_equal<>{}));
        ASSERT_GE(ids.front(), 0);
        ASSERT_LT(ids.back(), range);
        ASSERT_EQ(ids, idsOf(p, tokens));
      }
  const IdParams one{.range = 100000, .seed = 1}, two{.range = 100000, .seed = 2};
  EXPECT_NE(idsOf(one, 63), idsOf(two, 63));
}

TEST(PositionIds, everyPositionIsDrawnAboutEquallyOften) {
  std::vector<int> seen(10);
  for (std::int64_t seed = 0; seed < 4000; ++seed)
    for (const double id : idsOf({.range = 10, .seed = seed}, 3)) ++seen[static_cast<std::size_t>(id)];
  for (const int count : seen) EXPECT_NEAR(count, 1200, 150);  // five standard deviations
}

TEST(PositionIds, chunksJumpAndInsideThemNothingDoes) {
  EXPECT_EQ(idsOf({.rule = IdRule::pose, .range = 64, .lengths = {2, 2, 3}, .skips = {1, 1, 57}}, 7),
            (Ids{1, 2, 3, 4, 61, 62, 63}));
  for (const std::int64_t tokens : {1, 2, 3, 101})
    for (std::int64_t seed = 0; seed < 30; ++seed) {
      const Ids ids = idsOf({.rule = IdRule::pose, .range = 400, .seed = seed}, tokens);
      ASSERT_EQ(static_cast<std::int64_t>(ids.size()), tokens);
      ASSERT_EQ(ids.front(), 0);
      ASSERT_LT(ids.back(), 400);
      int jumps = 0;
      for (std::size_t t = 1; t < ids.size(); ++t) {
        ASSERT_GE(ids[t] - ids[t - 1], 1);
        jumps += ids[t] - ids[t - 1] > 1;
      }
      ASSERT_LE(jumps, 1);
    }
}

TEST(PositionIds, paddingRules) {
  const Ids right{1, 1, 1, 0}, left{0, 0, 1, 1};
  EXPECT_EQ(idsOf({.rule = IdRule::roberta, .padding = right}, 4), (Ids{2, 3, 4, 1}));
  EXPECT_EQ(idsOf({.rule = IdRule::roberta, .padding = right, .padding_idx = 0}, 4), (Ids{1, 2, 3, 0}));
  EXPECT_EQ(idsOf({.rule = IdRule::left_pad, .padding = left}, 4), (Ids{1, 1, 0, 1}));
  EXPECT_EQ(idsOf({.rule = IdRule::left_pad}, 3), (Ids{0, 1, 2}));
}

TEST(PositionIds, refusesWithASentence) {
  EXPECT_EQ(refusalOf({.range = 4}, 5), "position_ids: range must be at least the number of tokens 5, got 4");
  EXPECT_EQ(refusalOf({.range = 8, .draw = {5, 5, 2}}, 3),
            "position_ids: every position may be drawn once, got 5 twice");
  EXPECT_EQ(refusalOf({.range = 8, .draw = {5, 8, 2}}, 3), "position_ids: draw must stay below range 8, got 8");
  EXPECT_EQ(refusalOf({.range = 8, .draw = {5, -1, 2}}, 3),
            "position_ids: draw must hold whole numbers from 0, got -1");
  EXPECT_EQ(refusalOf({.range = 8, .draw = {5, NAN, 2}}, 3),
            "position_ids: draw must hold whole numbers from 0, got nan");
  EXPECT_EQ(refusalOf({.range = 8, .draw = {5, 2}}, 3), "position_ids: draw must have seq_len 3 entries, got 2");
  const auto chunks = [](Ids lengths, Ids skips) {
    return refusalOf({.rule = IdRule::pose, .range = 64, .lengths = std::move(lengths), .skips = std::move(skips)}, 8);
  };
  EXPECT_EQ(chunks({3, 5}, {0, 57}), "position_ids: the last id must stay below range 64, got 64");
  EXPECT_EQ(chunks({3, 5}, {9, 4}), "position_ids: skips must not decrease, got 4 after 9");
  EXPECT_EQ(chunks({3, 4}, {0, 4}), "position_ids: lengths must add up to seq_len 8, got 7");
  EXPECT_EQ(chunks({8}, {}), "position_ids: skips must have one entry a chunk, 1, got 0");
  EXPECT_EQ(refusalOf({.rule = IdRule::left_pad, .padding = {1, 2}}, 2),
            "position_ids: padding entries must be 0 or 1, got 2");
  EXPECT_EQ(refusalOf({.rule = IdRule::roberta, .padding = {1}}, 2),
            "position_ids: padding must have seq_len 2 entries, got 1");
}

TEST(PositionIds, driveTheRotation) {
  Shape shape;
  shape.seq_len = 9;
  shape.num_heads = 2;
  shape.head_dim = 8;
  const auto content = test::randomContent<double>(shape);
  const auto rope = test::attending(test::encoded("rope", {}, shape), content, {}, shape);
  // A constant added to all positions changes nothing.
  const auto moved = test::attending(
      test::encoded("position_ids", {{"rule", std::string("offset")}, {"offset", 1234.0}}, shape), content, {}, shape);
  const auto padded =
      test::attending(test::encoded("position_ids", {{"rule", std::string("roberta")}}, shape), content, {}, shape);
  const auto drawn = test::attending(test::encoded("position_ids", {}, shape), content, {}, shape);
  double apart = 0;
  for (std::size_t e = 0; e < rope.weights.size(); ++e) {
    ASSERT_NEAR(moved.weights[e], rope.weights[e], 1e-11);
    ASSERT_NEAR(padded.weights[e], rope.weights[e], 1e-12);
    apart = std::max(apart, std::abs(drawn.weights[e] - rope.weights[e]));
  }
  EXPECT_GT(apart, 0.01);
}

}  // namespace
}  // namespace posiscope

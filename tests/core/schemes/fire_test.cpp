// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/fire.h"

#include "tests/support/encoded.h"

namespace posiscope {
namespace {

using schemes::FireParams;

/// The bias of one head, row i.
std::vector<double> rowOf(const ParamValues& values, const Shape& shape, std::int64_t head, std::int64_t i) {
  const Encoding<double> encoding = test::encoded("fire", values, shape);
  std::vector<double> row(static_cast<std::size_t>(shape.keys()));
  std::get<PairBias<double>>(encoding.logits.bias).fill(head, i, row);
  return row;
}

Shape shapeOf(std::int64_t keys, std::int64_t queries = 0) {
  Shape shape;
  shape.seq_len = keys;
  shape.seq_len_q = queries;
  shape.num_heads = 3;
  return shape;
}

TEST(Fire, thePastIsAlwaysSeenBetweenZeroAndOne) {
  for (const double threshold : {0.0, 7.0, 512.0}) {
    FireParams p;
    p.threshold_length = threshold;
    for (const double position : {0.0, 1.0, 6.0, 7.0, 8.0, 1000.0, 1e6}) {
      EXPECT_EQ(schemes::fireInput(p, position, 0), 0);
      EXPECT_LE(schemes::fireInput(p, position, position), 1);
      EXPECT_GE(schemes::fireInput(p, position, position / 2), 0);
    }
  }
  FireParams mirrored;
  mirrored.c = -0.1;
  EXPECT_EQ(schemes::fireInput(mirrored, 20, 5), schemes::fireInput({}, 20, 5));
}

TEST(Fire, isToeplitzUpToTheThresholdOnly) {
  const ParamValues values{{"threshold_length", 20.0}, {"seed", 5.0}};
  const Shape shape = shapeOf(41);
  const auto base = rowOf(values, shape, 1, 10);
  const auto early = rowOf(values, shape, 1, 20);
  const auto late = rowOf(values, shape, 1, 30);
  for (std::size_t j = 0; j + 10 < 41; ++j) EXPECT_EQ(base[j], early[j + 10]);
  double largest = 0;
  for (std::size_t j = 0; j <= 10; ++j) largest = std::max(largest, std::abs(base[j] - late[j + 20]));
  EXPECT_GT(largest, 1e-3);
  EXPECT_NEAR(base[10], late[30], 1e-15);  // the diagonal is f(0) everywhere
  EXPECT_FALSE(test::encoded("fire", values, shape).offset_only);
  EXPECT_TRUE(test::encoded("fire", values, shapeOf(21)).offset_only);
}

TEST(Fire, cachedQueriesReadTheSameRows) {
  const ParamValues values{{"threshold_length", 5.0}};
  for (std::int64_t i = 0; i < 4; ++i)
    EXPECT_EQ(rowOf(values, shapeOf(13, 4), 2, i), rowOf(values, shapeOf(13), 2, i + 9));
}

TEST(Fire, countsFromTheFirstPosition) {
  const ParamValues values{{"threshold_length", 5.0}};
  Shape moved = shapeOf(9);
  moved.first_position = 100;
  EXPECT_NE(rowOf(values, moved, 0, 8), rowOf(values, shapeOf(9), 0, 8));
  Shape whole = shapeOf(109);
  const auto row = rowOf(values, whole, 0, 108);
  const auto tail = rowOf(values, moved, 0, 8);
  for (std::size_t j = 0; j < 9; ++j) EXPECT_DOUBLE_EQ(tail[j], row[100 + j]);
}

TEST(Fire, readsKeysAheadAsTold) {
  const auto symmetric = rowOf({}, shapeOf(9), 0, 4);
  const auto causal = rowOf({{"reading", std::string("causal")}}, shapeOf(9), 0, 4);
  EXPECT_EQ(symmetric[6], symmetric[2]);
  EXPECT_EQ(causal[6], causal[4]);
  EXPECT_EQ(causal[1], symmetric[1]);
}

TEST(Fire, refusesLayersOfAnotherWidth) {
  EXPECT_EQ(test::refusal("fire", {{"width", 4.0}, {"w1", makeArray({5, 1}, std::vector<double>(5))}}, {}),
            "fire: w1 must have shape (4, 1), got (5, 1)");
}

}  // namespace
}  // namespace posiscope

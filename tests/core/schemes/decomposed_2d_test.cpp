// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/decomposed_2d.h"

#include "tests/support/attending.h"
#include "tests/support/encoded.h"

namespace posiscope {
namespace {

using schemes::decomposedRow;
using schemes::decomposedRows;

Shape shapeOf(std::int64_t height, std::int64_t width, std::int64_t extra = 0) {
  Shape shape;
  shape.seq_len = height * width + extra;
  shape.grid_height = height;
  shape.grid_width = width;
  shape.num_heads = 2;
  shape.head_dim = 6;
  return shape;
}

std::vector<double> logitsOf(const ParamValues& values, const Content<double>& content, const Shape& shape) {
  return test::attending(test::encodingOf<double>("decomposed_2d", values, shape), content, {}, shape,
                         {true, false, false, {}})
      .logits;
}

TEST(Decomposed2d, rowsOfEqualSizesAreOffsets) {
  for (const std::int64_t size : {1, 2, 5, 8})
    for (std::int64_t y = 0; y < size; ++y)
      for (std::int64_t z = 0; z < size; ++z) EXPECT_EQ(decomposedRow(y, size, z, size), y - z + size - 1);
}

TEST(Decomposed2d, rowsOfPooledSizesStayInTheTable) {
  for (std::int64_t queries = 1; queries <= 9; ++queries)
    for (std::int64_t keys = 1; keys <= 9; ++keys)
      for (std::int64_t y = 0; y < queries; ++y)
        for (std::int64_t z = 0; z < keys; ++z) {
          EXPECT_GE(decomposedRow(y, queries, z, keys), 0);
          EXPECT_LT(decomposedRow(y, queries, z, keys), decomposedRows(queries, keys));
          if (z > 0) {
            EXPECT_LT(decomposedRow(y, queries, z, keys), decomposedRow(y, queries, z - 1, keys));
          }
        }
  EXPECT_EQ(decomposedRow(0, 8, 2, 6), 4);  // 3·(8/6), which rounded products put at 3
  EXPECT_EQ(decomposedRow(2, 3, 0, 7), 10);
}

TEST(Decomposed2d, zeroTablesArePlainAttention) {
  const Shape shape = shapeOf(2, 3);
  const auto content = test::randomContent<double>(shape);
  const auto plain =
      test::attending(test::plainEncoding<double>(shape), content, {}, shape, {true, false, false, {}}).logits;
  const auto found = logitsOf(
      {{"rel_h", makeArray({3, 6}, std::vector<double>(18))}, {"rel_w", makeArray({5, 6}, std::vector<double>(30))}},
      content, shape);
  for (std::size_t e = 0; e < plain.size(); ++e) ASSERT_NEAR(found[e], plain[e], 1e-14);
}

TEST(Decomposed2d, theQueryOfTheBiasIsNotScaled) {
  const Shape shape = shapeOf(1, 1);
  Content<double> content;
  content.q.assign(12, 1.0);
  content.k.assign(12, 1.0);
  const ParamValues values{{"rel_h", makeArray({1, 6}, std::vector<double>(6, 2.0))},
                           {"rel_w", makeArray({1, 6}, std::vector<double>(6, 3.0))}};
  EXPECT_NEAR(logitsOf(values, content, shape)[0], 6 / std::sqrt(6.0) + 12 + 18, 1e-13);
}

TEST(Decomposed2d, equalQueriesSeeOffsetsOfEachAxis) {
  const Shape shape = shapeOf(3, 4);
  Content<double> content;
  content.q.assign(2 * 12 * 6, 0.5);
  content.k.assign(2 * 12 * 6, 0.0);
  const auto logits = logitsOf({}, content, shape);
  const auto at = [&](std::size_t y, std::size_t x, std::size_t yy, std::size_t xx) {
    return logits[(y * 4 + x) * 12 + yy * 4 + xx];
  };
  EXPECT_NEAR(at(0, 0, 1, 2), at(1, 1, 2, 3), 1e-13);
  EXPECT_NEAR(at(2, 3, 0, 1), at(2, 2, 0, 0), 1e-13);
  EXPECT_NE(at(0, 0, 1, 2), at(0, 0, 1, 1));
}

TEST(Decomposed2d, theClassTokenHasNoBias) {
  const Shape shape = shapeOf(2, 3, 1);
  const auto content = test::randomContent<double>(shape);
  const auto plain =
      test::attending(test::plainEncoding<double>(shape), content, {}, shape, {true, false, false, {}}).logits;
  const auto found = logitsOf({{"class_token", true}}, content, shape);
  for (std::size_t t = 0; t < 7; ++t) {
    EXPECT_NEAR(found[t], plain[t], 1e-14);
    EXPECT_NEAR(found[t * 7], plain[t * 7], 1e-14);
  }
  EXPECT_GT(std::abs(found[8] - plain[8]), 1e-6);
}

TEST(Decomposed2d, queriesOfASmallerGridNeedTheirNumber) {
  Shape shape = shapeOf(4, 6);
  const ParamValues values{{"query_height", 2.0}, {"query_width", 3.0}};
  EXPECT_EQ(test::refusal("decomposed_2d", values, shape),
            "decomposed_2d: seq_len_q must be the 6 tokens of the queries' grid 2 × 3, got 24");
  shape.seq_len_q = 6;
  EXPECT_EQ(test::refusal("decomposed_2d", values, shape), "accepted");
  EXPECT_EQ(test::refusal("decomposed_2d", {{"rel_h", makeArray({3, 5}, std::vector<double>(15))}}, shapeOf(2, 3)),
            "decomposed_2d: rel_h must have shape (rows, head_dim 6), got (3, 5)");
}

}  // namespace
}  // namespace posiscope

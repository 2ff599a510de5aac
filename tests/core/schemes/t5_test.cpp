// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/buckets.h"
#include "core/random.h"
#include "tests/support/encoded.h"

#include <algorithm>
#include <cmath>

namespace posiscope {
namespace {

Shape biasShape(std::int64_t keys, std::int64_t heads) {
  Shape shape;
  shape.seq_len = keys;
  shape.num_heads = heads;
  return shape;
}

OffsetBias<double> bias(std::string_view id, const ParamValues& values, const Shape& shape) {
  const Encoding<double> encoding = test::encoded(id, values, shape);
  const auto* found = std::get_if<OffsetBias<double>>(&encoding.logits.bias);
  return found ? *found : OffsetBias<double>{};
}

/// Row r, head h has the value 10 r + h.
Array counted(std::int64_t rows, std::int64_t heads) {
  std::vector<double> values;
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t h = 0; h < heads; ++h) values.push_back(static_cast<double>(10 * r + h));
  return makeArray({rows, heads}, std::move(values), "table.npy");
}

TEST(T5Simple, looksUpTheClippedOffset) {
  const OffsetBias<double> b = bias("t5_simple", {{"max_distance", 4.0}, {"table", counted(9, 3)}}, biasShape(12, 3));
  ASSERT_EQ(b.max_offset, 11);
  for (std::int64_t h = 0; h < 3; ++h)
    for (std::int64_t n = -11; n <= 11; ++n)
      EXPECT_EQ(b.at(h, n), static_cast<double>(10 * std::clamp<std::int64_t>(n + 4, 0, 8) + h)) << h << " " << n;
}

TEST(T5Simple, theOtherDirectionReadsTheTableFromTheEnd) {
  const ParamValues values{{"max_distance", 4.0}, {"table", counted(9, 1)}};
  ParamValues flipped = values;
  flipped["sign"] = std::string("j-i");
  const OffsetBias<double> a = bias("t5_simple", values, biasShape(12, 1));
  const OffsetBias<double> b = bias("t5_simple", flipped, biasShape(12, 1));
  for (std::int64_t n = -11; n <= 11; ++n) EXPECT_EQ(b.at(0, n), a.at(0, -n));
  EXPECT_NE(a.at(0, 2), b.at(0, 2));
}

TEST(T5Simple, drawsItsTableFromTheSeed) {
  const OffsetBias<double> b = bias("t5_simple", {{"max_distance", 2.0}, {"std", 0.5}, {"seed", 9.0}}, biasShape(3, 2));
  const Stream stream(9, "init/pe.table");
  for (std::int64_t n = -2; n <= 2; ++n)
    for (std::int64_t h = 0; h < 2; ++h)
      EXPECT_EQ(b.at(h, n), 0.5 * stream.normal(static_cast<std::uint64_t>((n + 2) * 2 + h)));
}

TEST(T5Simple, refusesATableOfAnotherShape) {
  EXPECT_EQ(test::refusal("t5_simple", {{"max_distance", 4.0}, {"table", counted(8, 3)}}, biasShape(12, 3)),
            "t5_simple: the table must be (9, 3) (rows, num_heads), got (8, 3)");
  EXPECT_EQ(schemes::find("t5_simple")->check({}, biasShape(1 << 24, 1024)).error().code, ErrorCode::too_large);
}

TEST(T5Log, looksUpTheBucketOfKeyMinusQuery) {
  const OffsetBias<double> b = bias("t5_log", {{"table", counted(32, 4)}}, biasShape(200, 4));
  const BucketParams p;
  const std::vector<std::int64_t> edges = bucketEdges(16, 128);
  for (std::int64_t n = -199; n <= 199; ++n)
    EXPECT_EQ(b.at(3, n), static_cast<double>(10 * bucketOf(p, edges, -n) + 3)) << n;
  // n > 0 is the past, and keys behind have the first half of the table.
  EXPECT_EQ(b.at(0, 5), 50);
  EXPECT_EQ(b.at(0, -5), 210);
}

TEST(T5Log, hasNoRootScale) {
  EXPECT_EQ(test::encoded("t5_log", {}, biasShape(4, 2)).logit_scale, 1);
  EXPECT_DOUBLE_EQ(test::encoded("t5_simple", {}, biasShape(4, 2)).logit_scale, 1.0 / 8);
}

TEST(T5Log, oneDirectionIsFlatAheadAndBeyondTheLastEdge) {
  const OffsetBias<double> b = bias("t5_log", {{"bidirectional", false}, {"table", counted(32, 1)}}, biasShape(300, 1));
  for (std::int64_t n = -299; n <= 0; ++n) EXPECT_EQ(b.at(0, n), 0);
  for (std::int64_t n = 113; n < 300; ++n) EXPECT_EQ(b.at(0, n), 310);
  EXPECT_EQ(b.at(0, 112), 300);
}

TEST(T5Log, refusesSizesWithoutAFormula) {
  EXPECT_EQ(test::refusal("t5_log", {{"num_buckets", 2.0}}, biasShape(4, 2)),
            "t5_log: num_buckets must be at least 4 when bidirectional, got 2");
  EXPECT_EQ(test::refusal("t5_log", {{"max_distance", 8.0}}, biasShape(4, 2)),
            "t5_log: max_distance must be above the 8 distances with a bucket each, got 8");
}

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query_factor.h"

#include "tests/support/attending.h"
#include "tests/support/encoded.h"

#include <gtest/gtest.h>

#include <cmath>

namespace posiscope {
namespace {

const std::vector<std::string> kinds{"llama4", "ministral3", "logn"};

Shape shapeOf(std::int64_t keys, std::int64_t queries = 0) {
  Shape shape;
  shape.seq_len = keys;
  shape.seq_len_q = queries;
  shape.num_heads = 4;
  shape.num_kv_heads = 2;
  shape.head_dim = 6;
  return shape;
}

ParamValues smallSteps(const std::string& kind) {
  return kind == "logn" ? ParamValues{{"kind", kind}, {"train_length", 4.0}}
                        : ParamValues{{"kind", kind}, {"floor_scale", 3.0}, {"attn_scale", 0.5}};
}

TEST(QueryFactor, changesFirstWhereTheModelsDo) {
  const QueryScalingParams llama{.kind = QueryScaling::llama4};
  EXPECT_EQ(queryFactor(llama, 8190), 1.0);
  EXPECT_NEAR(queryFactor(llama, 8191), 1.0693147180559945, 1e-15);
  EXPECT_NEAR(queryFactor(llama, 1048575), 1.4859812, 1e-7);
  const QueryScalingParams ministral{.kind = QueryScaling::ministral3, .floor_scale = 16384};
  EXPECT_EQ(queryFactor(ministral, 16383), 1.0);
  EXPECT_NEAR(queryFactor(ministral, 16384), 1.0693147180559945, 1e-15);
}

TEST(QueryFactor, isAtLeastOneAndNeverFalls) {
  for (const QueryScaling kind : {QueryScaling::llama4, QueryScaling::ministral3, QueryScaling::logn}) {
    const QueryScalingParams p{kind, 7, 0.3, 20};
    double before = 1;
    for (double position = -30; position < 500; position += 0.5) {
      const double factor = queryFactor(p, position);
      ASSERT_GE(factor, before) << position;
      before = factor;
    }
    EXPECT_GT(before, 1);
    EXPECT_EQ(queryFactor(p, 5), 1.0);
  }
}

TEST(QueryScale, multipliesEachRowOfTheLogits) {
  const Shape shape = shapeOf(13, 9);  // the last nine tokens ask
  const auto content = test::randomContent<double>(shape);
  for (const std::string& kind : kinds)
    for (const bool rotate : {false, true}) {
      ParamValues values = smallSteps(kind);
      values["rotate"] = rotate;
      const auto encoding = test::encoded("query_scale", values, shape);
      const auto found = test::attending(encoding, content, {}, shape, {true, false, false, {}});
      const auto plain = test::attending(test::encoded(rotate ? "rope" : "none", {}, shape), content, {}, shape,
                                         {true, false, false, {}});
      for (std::size_t e = 0; e < plain.logits.size(); ++e) {
        const std::size_t token = e / 13 % 9 + 4;
        ASSERT_NEAR(found.logits[e], encoding.query_factor[token] * plain.logits[e], 1e-13) << kind << " " << e;
      }
    }
}

TEST(QueryScale, countsFromTheFirstPosition) {
  Shape shape = shapeOf(3);
  shape.first_position = 8190;
  const auto encoding = test::encoded("query_scale", {}, shape);
  EXPECT_EQ(encoding.query_factor[0], 1.0);
  EXPECT_NEAR(encoding.query_factor[1], 1.0693147180559945, 1e-15);
}

TEST(QueryScale, isNothingAtStrengthZero) {
  for (const double factor :
       test::encoded("query_scale", {{"attn_scale", 0.0}, {"floor_scale", 1.0}}, shapeOf(9)).query_factor)
    EXPECT_EQ(factor, 1.0);
}

TEST(QueryScale, refusesAnOddHeadOnlyWhenItTurns) {
  Shape shape = shapeOf(4);
  shape.head_dim = 5;
  EXPECT_EQ(test::refusal("query_scale", {}, shape), "accepted");
  EXPECT_EQ(schemes::find("query_scale")->check({{"rotate", true}}, shape).error().code, ErrorCode::bad_shape);
  EXPECT_EQ(schemes::find("query_scale")->check({{"train_length", 1.0}}, shape).error().code, ErrorCode::out_of_range);
}

}  // namespace
}  // namespace posiscope

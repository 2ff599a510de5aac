// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/deberta.h"

#include "core/attention/head_inputs.h"
#include "tests/support/attending.h"
#include "tests/support/encoded.h"

namespace posiscope {
namespace {

using schemes::DebertaFarEnd;
using schemes::debertaIndex;
using schemes::DebertaParams;

Shape shapeOf(std::int64_t keys, std::int64_t queries = 0) {
  Shape shape;
  shape.seq_len = keys;
  shape.seq_len_q = queries;
  shape.num_heads = 2;
  shape.head_dim = 6;
  shape.d_model = 12;
  return shape;
}

std::vector<double> logitsOf(const ParamValues& values, const Content<double>& content, const Shape& shape) {
  return test::attending(test::encodingOf<double>("deberta", values, shape), content, {}, shape,
                         {true, false, false, {}})
      .logits;
}

TEST(Deberta, theEvenTableIsClippedUnevenly) {
  DebertaParams p;
  p.position_buckets = 0;
  p.max_distance = 4;
  const std::vector<std::int64_t> wanted{0, 0, 1, 2, 3, 4, 5, 6, 7, 7, 7};
  for (std::int64_t n = -5; n <= 5; ++n) EXPECT_EQ(debertaIndex(p, n), wanted[static_cast<std::size_t>(n + 5)]) << n;
  // Turning the table round is not the other direction.
  EXPECT_NE(debertaIndex(p, 3), 7 - debertaIndex(p, -3));
}

TEST(Deberta, onlyOneOfThePublishedProgramsReachesRowZero) {
  DebertaParams p;
  p.position_buckets = 8;
  p.max_relative_positions = 16;
  EXPECT_EQ(p.span(), 8);
  EXPECT_EQ(debertaIndex(p, -15), 1);
  EXPECT_EQ(debertaIndex(p, -1000), 1);
  p.far_end = DebertaFarEnd::hugging_face;
  EXPECT_EQ(debertaIndex(p, -15), 1);
  EXPECT_EQ(debertaIndex(p, -16), 0);
  EXPECT_EQ(debertaIndex(p, 100000), 15);
}

TEST(Deberta, withoutPositionRowsItIsPlainAttentionWithItsOwnScale) {
  const Shape shape = shapeOf(7);
  const auto content = test::randomContent<double>(shape);
  const Array zeros = makeArray({2, 6, 6}, std::vector<double>(72));
  for (const auto& [terms, count] :
       {std::pair{"c2p_p2c", 3}, std::pair{"c2p", 2}, std::pair{"p2c", 2}, std::pair{"none", 1}}) {
    const ParamValues values{{"position_buckets", 0.0},
                             {"max_distance", 3.0},
                             {"k_r", zeros},
                             {"q_r", zeros},
                             {"position_terms", std::string(terms)}};
    Encoding<double> plain;
    plain.logit_scale = 1 / std::sqrt(6.0 * count);
    const auto wanted = test::attending(plain, content, {}, shape, {true, false, false, {}}).logits;
    const auto found = logitsOf(values, content, shape);
    for (std::size_t e = 0; e < wanted.size(); ++e) ASSERT_NEAR(found[e], wanted[e], 1e-14) << terms;
  }
}

TEST(Deberta, thePapersIndexDiffersOnlyInTheKeysTerm) {
  const Shape shape = shapeOf(9, 4);
  const auto content = test::randomContent<double>(shape);
  ParamValues values{{"position_buckets", 0.0}, {"max_distance", 3.0}};
  const auto code = logitsOf(values, content, shape);
  values["p2c"] = std::string("paper");
  const auto paper = logitsOf(values, content, shape);
  EXPECT_NE(code, paper);
  values["position_terms"] = std::string("c2p");
  const auto without = logitsOf(values, content, shape);
  values["p2c"] = std::string("code");
  EXPECT_EQ(without, logitsOf(values, content, shape));
  // On the diagonal both read the middle row.
  for (std::int64_t i = 0; i < 4; ++i) {
    const auto e = static_cast<std::size_t>(i * 9 + i + 5);
    EXPECT_DOUBLE_EQ(code[e], paper[e]);
  }
}

TEST(Deberta, sharedProjectionsAreThoseOfTheContent) {
  const Shape shape = shapeOf(5);
  const auto content = test::randomContent<double>(shape, true);
  ASSERT_FALSE(content.w_k.empty());
  const auto array = [](const Table<double>& t) { return makeArray({t.rows, t.cols}, t.values); };
  const ParamValues shared{{"position_buckets", 0.0}, {"max_distance", 3.0}};
  ParamValues given = shared;
  given["w_k"] = array(content.w_k);
  given["w_q"] = array(content.w_q);
  ParamValues apart = shared;
  apart["share_att_key"] = false;
  const auto found = logitsOf(shared, content, shape);
  const auto same = logitsOf(given, content, shape);
  for (std::size_t e = 0; e < found.size(); ++e) ASSERT_NEAR(found[e], same[e], 1e-13);
  EXPECT_NE(found, logitsOf(apart, content, shape));
}

TEST(Deberta, cachedQueriesReadTheSameRows) {
  const Shape whole = shapeOf(9);
  const Shape cached = shapeOf(9, 2);
  auto content = test::randomContent<double>(whole);
  const auto all = logitsOf({}, content, whole);
  Content<double> part = content;
  part.q.clear();
  for (std::size_t h = 0; h < 2; ++h)
    part.q.insert(part.q.end(), content.q.begin() + static_cast<std::ptrdiff_t>((h * 9 + 7) * 6),
                  content.q.begin() + static_cast<std::ptrdiff_t>((h + 1) * 9 * 6));
  const auto last = logitsOf({}, part, cached);
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t e = 0; e < 18; ++e) EXPECT_DOUBLE_EQ(last[h * 18 + e], all[(h * 9 + 7) * 9 + e]);
}

TEST(Deberta, refusesBucketsWithoutRoom) {
  EXPECT_EQ(test::refusal("deberta", {{"position_buckets", 1.0}}, shapeOf(4)),
            "deberta: position_buckets must be at least 2, got 1");
  EXPECT_EQ(test::refusal("deberta", {{"position_buckets", 8.0}, {"max_relative_positions", 5.0}}, shapeOf(4)),
            "deberta: max_relative_positions must be above position_buckets / 2 + 1 = 5, got 5");
}

TEST(DebertaBuckets, areOddMonotoneAndEndExactly) {
  for (const auto& [buckets, longest] : {std::pair{256, 512}, std::pair{32, 128}, std::pair{8, 16}, std::pair{8, 33},
                                         std::pair{10, 163}, std::pair{2, 9}}) {
    const LogBucketParams p{buckets, longest, true};
    EXPECT_EQ(logBucketOf(p, longest - 1), p.middle() > 1 ? 2 * p.middle() - 1 : p.middle());
    for (std::int64_t n = 0; n < 2 * longest; ++n) {
      EXPECT_EQ(logBucketOf(p, -n), -logBucketOf(p, n));
      EXPECT_GE(logBucketOf(p, n + 1), logBucketOf(p, n));
      if (n <= p.middle()) {
        EXPECT_EQ(logBucketOf(p, n), n);
      }
    }
  }
}

TEST(DebertaBuckets, bordersAreWholeNumbersNotRoundedLogarithms) {
  // Middle 4, last 32 = 4·8: the three steps end at 8, 16 and 32 exactly.
  const LogBucketParams p{8, 33, false};
  EXPECT_EQ(logBucketOf(p, 8), 5);
  EXPECT_EQ(logBucketOf(p, 9), 6);
  EXPECT_EQ(logBucketOf(p, 16), 6);
  EXPECT_EQ(logBucketOf(p, 17), 7);
  EXPECT_EQ(logBucketOf(p, 32), 7);
  EXPECT_EQ(logBucketOf(p, 33), 8);
  EXPECT_EQ(logBucketOf(p, 64), 8);  // beyond the end the steps go on
  EXPECT_EQ(logBucketOf(p, 65), 9);
  // Middle 5, last 5·3⁴: borders 15, 45, 135, 405.
  const LogBucketParams q{10, 406, false};
  for (const std::int64_t border : {15, 45, 135, 405})
    EXPECT_EQ(logBucketOf(q, border) + 1, logBucketOf(q, border + 1));
}

}  // namespace
}  // namespace posiscope

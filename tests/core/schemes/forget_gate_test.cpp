// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/forget_gate.h"

#include "tests/support/attending.h"
#include "tests/support/encoded.h"

#include <gtest/gtest.h>

#include <cmath>

namespace posiscope {
namespace {

const std::vector<std::string> modes{"causal", "bidirectional", "per_row"};

Shape shapeOf(std::int64_t length, std::int64_t queries = 0) {
  Shape shape;
  shape.seq_len = length;
  shape.seq_len_q = queries;
  shape.num_heads = 3;
  shape.head_dim = 4;
  shape.d_model = 12;
  return shape;
}

Mask causal() {
  Mask mask;
  mask.causal = true;
  return mask;
}

/// The bias of every head and pair: logits of queries that are zero.
std::vector<double> biasOf(const ParamValues& values, const Shape& shape, Table<double> x) {
  Content<double> content;
  content.x = std::move(x);
  content.q.resize(static_cast<std::size_t>(shape.num_heads * shape.queries() * shape.head_dim));
  content.k.resize(static_cast<std::size_t>(shape.num_heads * shape.keys() * shape.head_dim));
  return test::attending(test::encoded("forget_gate", values, shape), content, {}, shape, {true, false, false, {}})
      .logits;
}

Table<double> tokens(const Shape& shape) { return test::randomContent<double>(shape, true).x; }

ParamValues values(const std::string& mode, double strength = 1) {
  return {{"mode", mode}, {"post_log_scale", strength}, {"gate_bias", 1.0}};
}

TEST(ForgetGate, isZeroOnTheDiagonalAndFallsAwayFromIt) {
  const Shape shape = shapeOf(23);
  for (const std::string& mode : modes) {
    const auto bias = biasOf(values(mode), shape, tokens(shape));
    for (std::size_t row = 0; row < 3 * 23; ++row) {
      const std::size_t i = row % 23;
      EXPECT_EQ(bias[row * 23 + i], 0);
      for (std::size_t j = i; j-- > 0;) ASSERT_LT(bias[row * 23 + j], bias[row * 23 + j + 1]) << mode;
      for (std::size_t j = i + 1; j < 23; ++j) {
        const double here = bias[row * 23 + j];
        ASSERT_TRUE(mode == "bidirectional" ? here < bias[row * 23 + j - 1] : here == 0) << mode;
      }
    }
  }
}

TEST(ForgetGate, equalGatesAreAlibi) {
  const Shape shape = shapeOf(17);
  const Array none = makeArray({3, 12}, std::vector<double>(36));
  const Array b = makeArray({3}, {5, 0, -3});
  const auto bias =
      biasOf({{"mode", std::string("bidirectional")}, {"w", none}, {"b", b}, {"w_rev", none}, {"b_rev", b}}, shape,
             tokens(shape));
  std::size_t e = 0;
  for (const double each : {5.0, 0.0, -3.0}) {
    const double slope = std::log(1 + std::exp(-each));
    for (std::int64_t i = 0; i < 17; ++i)
      for (std::int64_t j = 0; j < 17; ++j, ++e)
        ASSERT_NEAR(bias[e], -slope * static_cast<double>(std::abs(i - j)), 1e-12);
  }
}

TEST(ForgetGate, openGatesAndStrengthZeroAreNoPosition) {
  const Shape shape = shapeOf(9);
  for (const std::string& mode : modes)
    for (const double v : biasOf(values(mode, 0), shape, tokens(shape))) ASSERT_EQ(v, 0);
  for (const double v : biasOf({{"gate_bias", 800.0}}, shape, tokens(shape))) ASSERT_NEAR(v, 0, 1e-300);
}

TEST(ForgetGate, closedGatesStayFinite) {
  const Shape shape = shapeOf(9);
  const auto bias = biasOf({{"gate_bias", -1000.0}}, shape, tokens(shape));
  EXPECT_NEAR(bias[8 * 9], -8000, 40);
}

TEST(ForgetGate, theStrengthMultipliesTheLogarithms) {
  const Shape shape = shapeOf(12);
  for (const std::string& mode : modes) {
    const auto once = biasOf(values(mode, 1), shape, tokens(shape));
    const auto half = biasOf(values(mode, 0.5), shape, tokens(shape));
    for (std::size_t e = 0; e < once.size(); ++e) ASSERT_NEAR(half[e], 0.5 * once[e], 1e-12);
  }
}

TEST(ForgetGate, whoseGateCounts) {
  // One token's gate is nearly closed: between it and its past everything is forgotten.
  Shape shape = shapeOf(6);
  shape.num_heads = 1;
  shape.d_model = 1;
  const Table<double> x{6, 1, {0, 0, 0, 1, 0, 0}};
  const auto bias = biasOf({{"w", makeArray({1, 1}, {-100})}, {"b", makeArray({1}, {30})}}, shape, x);
  EXPECT_NEAR(bias[2 * 6 + 1], 0, 1e-10);
  EXPECT_NEAR(bias[3 * 6 + 2], -70, 1e-9);  // the query's own gate counts
  EXPECT_NEAR(bias[4 * 6 + 3], 0, 1e-10);   // the key's does not
  EXPECT_NEAR(bias[5 * 6 + 0], -70, 1e-9);

  const Array q = makeArray({1, 6, 1}, {1, 1, 1, 1, 1, 1}), k = makeArray({1, 6, 1}, {30, 30, 30, -70, 30, 30});
  const auto row =
      biasOf({{"mode", std::string("per_row")}, {"gate_dim", 1.0}, {"q_gate", q}, {"k_gate", k}}, shape, {});
  EXPECT_NEAR(row[3 * 6 + 2], 0, 1e-10);  // per query it is the other way round
  EXPECT_NEAR(row[4 * 6 + 3], -70, 1e-9);
}

TEST(ForgetGate, theFutureHasGatesOfItsOwn) {
  Shape shape = shapeOf(6);
  shape.num_heads = 1;
  shape.d_model = 1;
  const Table<double> x{6, 1, {0, 0, 0, 1, 0, 0}};
  const auto bias = biasOf({{"mode", std::string("bidirectional")},
                            {"w", makeArray({1, 1}, {-100})},
                            {"b", makeArray({1}, {30})},
                            {"w_rev", makeArray({1, 1}, {-50})},
                            {"b_rev", makeArray({1}, {30})}},
                           shape, x);
  EXPECT_NEAR(bias[3 * 6 + 2], -70, 1e-9);
  EXPECT_NEAR(bias[2 * 6 + 3], -20, 1e-8);  // the key's gate counts, behind the query
  EXPECT_NEAR(bias[3 * 6 + 4], 0, 1e-10);   // the query's does not
  EXPECT_NEAR(bias[0 * 6 + 5], -20, 1e-8);
}

TEST(ForgetGate, laterTokensChangeNoEarlierRowAndTheLastRowsStandAlone) {
  const Shape whole = shapeOf(14), part = shapeOf(9), last = shapeOf(14, 5);
  const Table<double> x = tokens(whole);
  Table<double> cut = makeTable<double>(9, 12);
  std::copy_n(x.values.begin(), cut.values.size(), cut.values.begin());
  for (const std::string& mode : modes) {
    const auto all = biasOf(values(mode), whole, x);
    const auto some = biasOf(values(mode), part, cut);
    const auto end = biasOf(values(mode), last, x);
    for (std::size_t h = 0; h < 3; ++h) {
      for (std::size_t i = 0; i < 9; ++i)
        for (std::size_t j = 0; j < 9; ++j)
          ASSERT_NEAR(some[(h * 9 + i) * 9 + j], all[(h * 14 + i) * 14 + j], 1e-13) << mode;
      for (std::size_t e = 0; e < 5 * 14; ++e) ASSERT_EQ(end[h * 5 * 14 + e], all[(h * 14 + 9) * 14 + e]) << mode;
    }
  }
}

TEST(ForgetGate, termsAddUpToTheLogits) {
  const Shape shape = shapeOf(8);
  const auto content = test::randomContent<double>(shape, true);
  const auto encoding = test::encoded("forget_gate", {}, shape);
  const auto logits = test::attending(encoding, content, {}, shape, {true, false, false, {}}).logits;
  ASSERT_EQ(encoding.logits.terms.names.size(), 2u);
  const Mask mask = causal();
  const auto q = test::randomContent<double>(shape);
  const HeadContent<double> head{1, {q.q.data(), 8, 4}, {q.k.data(), 8, 4}, rowsOf(content.x), &shape, &mask};
  const auto score = encoding.logits.score.prepare(head);
  const auto fill = encoding.logits.terms.prepare(head);
  std::vector<double> sum(8), part(8), whole(8);
  fill(0, 5, sum);
  fill(1, 5, part);
  score(5, whole);
  for (std::size_t j = 0; j < 8; ++j) EXPECT_NEAR(sum[j] + part[j], whole[j], 1e-14);
}

TEST(ForgetGate, refusesWhatDoesNotFit) {
  const Shape shape = shapeOf(5);
  EXPECT_EQ(test::refusal("forget_gate", {{"w", makeArray({3, 2}, std::vector<double>(6))}}, shape),
            "forget_gate: w must have shape (3, 12), got (3, 2)");
  const Array rows = makeArray({3, 5, 2}, std::vector<double>(30));
  EXPECT_EQ(test::refusal("forget_gate", {{"q_gate", rows}}, shape),
            "forget_gate: q_gate and k_gate must be given together, got only q_gate");
  EXPECT_EQ(schemes::find("forget_gate")
                ->check({{"mode", std::string("per_row")}, {"q_gate", rows}, {"k_gate", rows}}, shape)
                .error()
                .code,
            ErrorCode::bad_shape);
  // Without the embeddings there is nothing to read.
  EXPECT_FALSE(attention::attend(test::encoded("forget_gate", {}, shape), test::randomContent<double>(shape), causal(),
                                 shape, {}, Job()));
}

}  // namespace
}  // namespace posiscope

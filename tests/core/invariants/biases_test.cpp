// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Biases by distance with any of their parameters: what their formulas promise, not the numbers of one setting.
#include "core/buckets.h"
#include "tests/core/invariants/drawn.h"
#include "tests/support/encoded.h"

#include <algorithm>
#include <cmath>

namespace posiscope {
namespace {

constexpr int trials = 60;

Shape shapeOf(std::int64_t heads, std::int64_t tokens) {
  Shape shape;
  shape.seq_len = tokens;
  shape.num_heads = heads;
  shape.head_dim = 8;
  return shape;
}

OffsetBias<double> biasOf(const char* id, const ParamValues& values, const Shape& shape) {
  const Encoding<double> e = test::encoded(id, values, shape);
  EXPECT_TRUE(std::holds_alternative<OffsetBias<double>>(e.logits.bias)) << id;
  return std::get<OffsetBias<double>>(e.logits.bias);
}

/// Σ_ij c_i c_j bias(i − j): below zero for no c where the bias is a kernel.
double form(const OffsetBias<double>& bias, std::int64_t head, const std::vector<double>& c) {
  double sum = 0;
  for (std::int64_t i = 0; i < std::ssize(c); ++i)
    for (std::int64_t j = 0; j < std::ssize(c); ++j)
      sum += c[static_cast<std::size_t>(i)] * c[static_cast<std::size_t>(j)] * bias.at(head, i - j);
  return sum;
}

TEST(BiasInvariants, bucketsOfT5WidenAndNeverComeBack) {
  test::Drawn drawn("t5");
  for (int t = 0; t < trials; ++t) {
    BucketParams p;
    p.bidirectional = drawn.oneOf({true, false});
    p.num_buckets = 2 * static_cast<std::int64_t>(drawn.between(2, 33));
    p.max_distance = p.side() / 2 + 1 + static_cast<std::int64_t>(drawn.logarithmic(1, 800));
    SCOPED_TRACE(testing::Message() << p.num_buckets << " buckets to " << p.max_distance << ", " << p.bidirectional);
    Shape shape = shapeOf(3, 1000);
    const Encoding<double> e = test::encoded("t5_log",
                                             {{"num_buckets", static_cast<double>(p.num_buckets)},
                                              {"max_distance", static_cast<double>(p.max_distance)},
                                              {"bidirectional", p.bidirectional}},
                                             shape);
    ASSERT_EQ(e.logits.lookup.rows, p.num_buckets);
    const auto past = [&](std::int64_t n) { return e.logits.lookup.row(999, 999 - n); };
    const auto ahead = [&](std::int64_t n) { return e.logits.lookup.row(0, n); };
    const std::int64_t near = p.side() / 2;
    std::int64_t width = 1, before = 0;
    for (std::int64_t n = 0; n < 1000; ++n) {
      const std::int64_t bucket = past(n);
      ASSERT_TRUE(bucket >= 0 && bucket < p.side()) << n;
      ASSERT_EQ(ahead(n), !p.bidirectional ? 0 : n == 0 ? past(0) : p.side() + bucket) << n;
      if (n < near) {
        ASSERT_EQ(bucket, n);
      }
      if (n > 0) {
        ASSERT_GE(bucket, past(n - 1)) << n;
      }
      if (n >= p.max_distance) {
        ASSERT_EQ(bucket, p.side() - 1) << n;
      }
      // The steps of a logarithm do not shrink by more than the rounding to whole distances.
      if (n > 0 && bucket != past(n - 1)) {
        if (bucket < p.side() - 1 && past(n - 1) >= near) {
          ASSERT_GE(n - before + 1, width) << n;
          width = n - before;
        }
        before = n;
      }
    }
    const auto& bias = std::get<OffsetBias<double>>(e.logits.bias);
    for (std::int64_t n = p.max_distance; n < 999; ++n) ASSERT_EQ(bias.at(2, n), bias.at(2, 999)) << n;
  }
}

TEST(BiasInvariants, alibiIsALineForEachHead) {
  test::Drawn drawn("alibi");
  for (int t = 0; t < trials; ++t) {
    const auto heads = static_cast<std::int64_t>(drawn.between(1, 41));
    const double most = drawn.between(0.5, 32);
    const std::string slopes = drawn.oneOf<std::string>({"code", "text"});
    SCOPED_TRACE(testing::Message() << heads << " heads, max_bias " << most << ", " << slopes);
    const auto bias = biasOf("alibi", {{"max_bias", most}, {"slopes", slopes}}, shapeOf(heads, 60));
    std::int64_t power = 1;
    while (2 * power <= heads) power *= 2;
    const bool one_series = slopes == "text" || power == heads;
    for (std::int64_t h = 0; h < heads; ++h) {
      const double slope = -bias.at(h, 1);
      ASSERT_GT(slope, 0) << h;
      for (const std::int64_t n : {0, 1, 2, 17, 59}) {
        ASSERT_DOUBLE_EQ(bias.at(h, n), -slope * static_cast<double>(n)) << h << ", " << n;
        ASSERT_EQ(bias.at(h, -n), bias.at(h, n)) << h << ", " << n;
      }
      // A series of equal ratios over the heads, or over the power of two below them and then every second of the next.
      const double steps = one_series  ? static_cast<double>(h + 1) / static_cast<double>(heads)
                           : h < power ? static_cast<double>(h + 1) / static_cast<double>(power)
                                       : static_cast<double>(2 * (h - power) + 1) / static_cast<double>(2 * power);
      EXPECT_NEAR(slope / std::exp2(-most * steps), 1, 1e-12) << h;
    }
  }
}

/// Its paper's point: whatever r1 and r2 are, the bias is a conditionally positive definite kernel.
TEST(BiasInvariants, kerpleIsAKernelOfTheDistance) {
  test::Drawn drawn("kerple");
  for (int t = 0; t < trials; ++t) {
    const auto form_name = drawn.oneOf<std::string>({"log", "power"});
    const bool log = form_name == "log";
    const std::vector<double> r1{drawn.logarithmic(0.01, 10), drawn.logarithmic(0.01, 10)};
    const std::vector<double> r2{log ? drawn.logarithmic(0.01, 10) : drawn.between(0.05, 2),
                                 log ? drawn.logarithmic(0.01, 10) : drawn.between(0.05, 2)};
    const ParamValues values{{"form", form_name}, {"r1", r1}, {"r2", r2}};
    const auto bias = biasOf("kerple", values, shapeOf(2, 40));
    ParamValues causal = values;
    causal["reading"] = std::string("causal");
    const auto one_sided = biasOf("kerple", causal, shapeOf(2, 40));
    std::vector<double> c = drawn.normals(40);
    double mean = 0;
    for (const double v : c) mean += v / 40;
    for (double& v : c) v -= mean;
    for (std::int64_t h = 0; h < 2; ++h) {
      const auto at = static_cast<std::size_t>(h);
      SCOPED_TRACE(testing::Message() << form_name << ", r1 " << r1[at] << ", r2 " << r2[at]);
      EXPECT_EQ(bias.at(h, 0), 0);
      for (std::int64_t n = 1; n < 40; ++n) {
        const double x = static_cast<double>(n);
        ASSERT_NEAR(bias.at(h, n), -r1[at] * (log ? std::log1p(r2[at] * x) : std::pow(x, r2[at])),
                    1e-12 * std::abs(bias.at(h, n)));
        ASSERT_LT(bias.at(h, n), bias.at(h, n - 1)) << n;
        ASSERT_EQ(bias.at(h, -n), bias.at(h, n)) << n;
        ASSERT_EQ(one_sided.at(h, n), bias.at(h, n)) << n;
        ASSERT_EQ(one_sided.at(h, -n), 0) << n;
      }
      EXPECT_GE(form(bias, h, c), -1e-9 * std::abs(bias.at(h, 39))) << "for weights that add up to 0";
    }
  }
}

TEST(BiasInvariants, fireSeesTheShareOfTheLogarithmAlone) {
  test::Drawn drawn("fire");
  for (int t = 0; t < trials; ++t) {
    const std::int64_t tokens = 50;
    const auto threshold = std::floor(drawn.between(0, 60));
    const ParamValues values{{"c", drawn.logarithmic(0.01, 100) * drawn.oneOf({1.0, -1.0})},
                             {"threshold_length", threshold},
                             {"width", 5.0},
                             {"epsilon", 1e-12},
                             {"w1", drawn.array(5, 1)},
                             {"b1", makeArray({5}, drawn.normals(5))},
                             {"w2", drawn.array(2, 5)},
                             {"b2", makeArray({2}, drawn.normals(2))}};
    SCOPED_TRACE(testing::Message() << "c " << std::get<double>(values.at("c")) << ", threshold " << threshold);
    const Encoding<double> e = test::encoded("fire", values, shapeOf(2, tokens));
    const auto& bias = std::get<PairBias<double>>(e.logits.bias);
    EXPECT_EQ(e.offset_only, threshold >= tokens - 1);
    ParamValues mirrored = values;
    mirrored["c"] = -std::get<double>(values.at("c"));
    const Encoding<double> other = test::encoded("fire", mirrored, shapeOf(2, tokens));
    std::vector<double> row(tokens), first(tokens), again(tokens);
    for (std::int64_t h = 0; h < 2; ++h) {
      bias.fill(h, 0, first);
      double whole = 0;
      for (std::int64_t i = 0; i < tokens; ++i) {
        bias.fill(h, i, row);
        std::get<PairBias<double>>(other.logits.bias).fill(h, i, again);
        ASSERT_EQ(row, again) << "only the size of c counts";
        // The query's own place is share 0, in every row the same.
        ASSERT_NEAR(row[static_cast<std::size_t>(i)], first[0], 1e-9) << i;
        const auto position = static_cast<double>(i);
        // Up to the threshold one normaliser: a bias of the offset. Beyond it, the first token is share 1.
        if (position <= threshold && i > 0) {
          ASSERT_NEAR(row[static_cast<std::size_t>(i - 1)], first[1], 1e-9) << i;
        }
        if (position > std::max(threshold, 1.0)) {
          whole = whole == 0 ? row[0] : whole;
          ASSERT_NEAR(row[0], whole, 1e-9) << i;
        }
      }
    }
  }
}

TEST(BiasInvariants, sandwichIsTheProductOfTwoSinusoidalRows) {
  test::Drawn drawn("sandwich");
  for (int t = 0; t < trials; ++t) {
    const std::int64_t width = 2 * static_cast<std::int64_t>(drawn.between(1, 50));
    const auto heads = static_cast<std::int64_t>(drawn.between(1, 13));
    const double base = drawn.logarithmic(2, 1e6);
    SCOPED_TRACE(testing::Message() << "width " << width << ", " << heads << " heads, base " << base);
    Shape shape = shapeOf(heads, 40);
    const auto bias = biasOf("sandwich", {{"bar_d", static_cast<double>(width)}, {"base", base}}, shape);
    shape.d_model = width;
    const Table<double> rows = test::encoded("sinusoidal", {{"base", base}}, shape).input.table;
    const std::vector<double> c = drawn.normals(40);
    for (std::int64_t h = 0; h < heads; ++h) {
      const double strength = static_cast<double>(heads) / (8.0 * static_cast<double>(h + 1));
      for (std::int64_t n = 0; n < 40; ++n) {
        double product = 0;
        for (std::size_t d = 0; d < static_cast<std::size_t>(width); ++d)
          product += rows.row(39)[d] * rows.row(39 - n)[d];
        ASSERT_NEAR(bias.at(h, n), strength * product, 1e-9 * strength * static_cast<double>(width)) << h << ", " << n;
        ASSERT_EQ(bias.at(h, -n), bias.at(h, n));
        ASSERT_LE(bias.at(h, n), bias.at(h, 0) * (1 + 1e-12));
      }
      EXPECT_NEAR(bias.at(h, 0), strength * static_cast<double>(width) / 2, 1e-9);
      EXPECT_GE(form(bias, h, c), -1e-9 * bias.at(h, 0)) << "a product of rows is a kernel";
    }
  }
}

}  // namespace
}  // namespace posiscope

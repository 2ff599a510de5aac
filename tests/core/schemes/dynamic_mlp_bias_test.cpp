// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/encoded.h"

#include <cmath>

namespace posiscope {
namespace {

OffsetBias<double> biasOf(const ParamValues& values, std::int64_t keys = 9, std::int64_t heads = 3) {
  Shape shape;
  shape.seq_len = keys;
  shape.num_heads = heads;
  const Encoding<double> encoding = test::encoded("dynamic_mlp_bias", values, shape);
  const auto* found = std::get_if<OffsetBias<double>>(&encoding.logits.bias);
  return found ? *found : OffsetBias<double>{};
}

double silu(double x) { return x / (1 + std::exp(-x)); }

TEST(DynamicMlpBias, oneUnitCanBeFollowedByHand) {
  const ParamValues one{{"depth", 1.0},
                        {"width", 1.0},
                        {"w_in", makeArray({1, 1}, {0.5})},
                        {"b_in", makeArray({1}, {0.25})},
                        {"w_out", makeArray({2, 1}, {2.0, -1.0})},
                        {"b_out", makeArray({2}, {0.0, 3.0})}};
  ParamValues raw = one;
  raw["log_distance"] = false;
  for (const std::int64_t n : {-8, -1, 0, 3, 8}) {
    const auto x = static_cast<double>(n);
    const double log = std::copysign(std::log(std::abs(x) + 1), x);
    EXPECT_NEAR(biasOf(one, 9, 2).at(0, n), 2 * silu(0.5 * log + 0.25), 1e-14);
    EXPECT_NEAR(biasOf(raw, 9, 2).at(1, n), 3 - silu(0.5 * x + 0.25), 1e-14);
  }
}

TEST(DynamicMlpBias, everyHiddenLayerCounts) {
  // Identity-like layers: each SiLU is applied once more.
  const ParamValues values{{"depth", 3.0},
                           {"width", 1.0},
                           {"log_distance", false},
                           {"w_in", makeArray({1, 1}, {1.0})},
                           {"b_in", makeArray({1}, {0.0})},
                           {"w_hidden", makeArray({2, 1, 1}, {1.0, 2.0})},
                           {"b_hidden", makeArray({2, 1}, {0.5, 0.0})},
                           {"w_out", makeArray({1, 1}, {1.0})},
                           {"b_out", makeArray({1}, {0.0})}};
  EXPECT_NEAR(biasOf(values, 9, 1).at(0, 4), silu(2 * silu(silu(4.0) + 0.5)), 1e-14);
}

TEST(DynamicMlpBias, aHiddenUnitReadsItsOwnRow) {
  const ParamValues values{{"depth", 2.0},
                           {"width", 2.0},
                           {"log_distance", false},
                           {"w_in", makeArray({2, 1}, {1.0, -0.5})},
                           {"b_in", makeArray({2}, {0.0, 1.0})},
                           {"w_hidden", makeArray({1, 2, 2}, {1.0, 2.0, -3.0, 0.25})},
                           {"b_hidden", makeArray({1, 2}, {0.5, -0.5})},
                           {"w_out", makeArray({2, 2}, {1.0, 10.0, -2.0, 3.0})},
                           {"b_out", makeArray({2}, {0.0, 0.0})}};
  for (const std::int64_t n : {-3, 2}) {
    const double a = silu(static_cast<double>(n)), b = silu(1 - 0.5 * static_cast<double>(n));
    const double c = silu(a + 2 * b + 0.5), d = silu(-3 * a + 0.25 * b - 0.5);
    EXPECT_NEAR(biasOf(values, 9, 2).at(0, n), c + 10 * d, 1e-13);
    EXPECT_NEAR(biasOf(values, 9, 2).at(1, n), -2 * c + 3 * d, 1e-13);
  }
}

TEST(DynamicMlpBias, keepsTheSignAndSurvivesFarDistances) {
  const OffsetBias<double> bias = biasOf({{"log_distance", false}}, 5000, 2);
  EXPECT_NE(bias.at(0, 3), bias.at(0, -3));
  for (const double value : bias.values) ASSERT_TRUE(std::isfinite(value));
}

TEST(DynamicMlpBias, headsDoNotDependOnEachOther) {
  const OffsetBias<double> few = biasOf({}, 9, 2);
  const OffsetBias<double> many = biasOf({}, 9, 7);
  for (std::int64_t n = -8; n <= 8; ++n) EXPECT_EQ(few.at(1, n), many.at(1, n));
}

TEST(DynamicMlpBias, refusesLayersOfAnotherShape) {
  EXPECT_EQ(
      test::refusal("dynamic_mlp_bias",
                    {{"depth", 2.0}, {"width", 2.0}, {"w_hidden", makeArray({2, 2}, std::vector<double>(4))}}, {}),
      "dynamic_mlp_bias: w_hidden must have shape (1, 2, 2), got (2, 2)");
}

}  // namespace
}  // namespace posiscope

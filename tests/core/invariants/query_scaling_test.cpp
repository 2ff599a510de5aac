// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Factors on the queries: they sharpen a row and never reorder it.
#include "tests/core/invariants/scores.h"

#include <span>

namespace posiscope {
namespace {

double entropyOf(std::span<const double> weights) {
  double sum = 0;
  for (const double w : weights)
    if (w > 0) sum -= w * std::log(w);
  return sum;
}

/// Is every pair of keys in the same order in both rows?
bool sameOrder(std::span<const double> a, std::span<const double> b) {
  for (std::size_t j = 0; j < a.size(); ++j)
    for (std::size_t k = 0; k < a.size(); ++k)
      if ((a[j] < a[k]) != (b[j] < b[k])) return false;
  return true;
}

TEST(QueryScalingInvariants, factorsChangeTheEntropyAndNeverTheOrder) {
  test::Drawn drawn("query scaling");
  int sharpened = 0, kept = 0;
  for (int t = 0; t < 60; ++t) {
    Shape shape;
    shape.seq_len = drawn.oneOf<std::int64_t>({1, 2, 7, 19});
    shape.num_heads = drawn.oneOf<std::int64_t>({1, 3});
    shape.head_dim = drawn.oneOf<std::int64_t>({2, 6, 10});
    shape.first_position = std::floor(drawn.logarithmic(1, 3000));
    const bool rotate = drawn.oneOf({true, false});
    const double base = drawn.logarithmic(10, 1e6);
    const auto scaled = test::encodingOf<double>("query_scale",
                                                 {{"kind", drawn.oneOf<std::string>({"llama4", "ministral3", "logn"})},
                                                  {"floor_scale", std::round(drawn.logarithmic(2, 5000))},
                                                  {"attn_scale", drawn.between(0.05, 2)},
                                                  {"train_length", std::round(drawn.logarithmic(2, 5000))},
                                                  {"rotate", rotate},
                                                  {"base", base}},
                                                 shape);
    const auto plain = rotate ? test::encodingOf<double>("rope", {{"base", base}}, shape)
                              : test::encodingOf<double>("none", {}, shape);
    const Content<double> content = test::drawnContent(drawn, shape);
    const attention::Wanted both{true, true, false, {}};
    const auto after = test::attending(scaled, content, {}, shape, both);
    const auto before = test::attending(plain, content, {}, shape, both);
    for (std::int64_t r = 0; r < shape.num_heads * shape.seq_len; ++r) {
      const auto keys = static_cast<std::size_t>(shape.seq_len);
      const auto row = [&](const std::vector<double>& all) {
        return std::span(all).subspan(static_cast<std::size_t>(r) * keys, keys);
      };
      const double factor = scaled.query_factor[static_cast<std::size_t>(r % shape.seq_len)];
      ASSERT_GE(factor, 1);
      ASSERT_TRUE(sameOrder(row(before.logits), row(after.logits))) << "row " << r << ", factor " << factor;
      for (std::size_t j = 0; j < keys; ++j)
        ASSERT_NEAR(row(after.logits)[j], factor * row(before.logits)[j], 1e-12 * factor);
      const double change = entropyOf(row(after.weights)) - entropyOf(row(before.weights));
      if (factor == 1 || keys == 1) {
        ASSERT_NEAR(change, 0, 1e-12);
        ++kept;
      } else {
        ASSERT_LT(change, 0) << "row " << r << ", factor " << factor;
        ++sharpened;
      }
    }
  }
  EXPECT_GT(sharpened, 100);
  EXPECT_GT(kept, 100);
}

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/encoded.h"

#include <cmath>

namespace posiscope {
namespace {

OffsetBias<double> biasOf(const ParamValues& values, std::int64_t keys, std::int64_t heads) {
  Shape shape;
  shape.seq_len = keys;
  shape.num_heads = heads;
  const Encoding<double> encoding = test::encoded("sandwich", values, shape);
  const auto* found = std::get_if<OffsetBias<double>>(&encoding.logits.bias);
  return found ? *found : OffsetBias<double>{};
}

TEST(Sandwich, isTheDotProductOfSinusoidalVectors) {
  // The added table itself is the reference: p(i)·p(j), divided by each head's share of 8.
  for (const double width : {2.0, 6.0, 128.0}) {
    Shape shape;
    shape.seq_len = 300;
    shape.d_model = static_cast<std::int64_t>(width);
    const Table<double> p = test::encoded("sinusoidal", {}, shape).input.table;
    const OffsetBias<double> bias = biasOf({{"bar_d", width}}, 300, 12);
    for (const std::int64_t i : {0, 1, 127, 128, 299})
      for (const std::int64_t j : {0, 5, 200}) {
        double dot = 0;
        for (std::size_t d = 0; d < p.row(i).size(); ++d) dot += p.row(i)[d] * p.row(j)[d];
        EXPECT_NEAR(bias.at(4, i - j), dot / (8.0 * 5 / 12), 1e-9) << width << " " << i << " " << j;
      }
  }
}

TEST(Sandwich, startsHighIsSymmetricAndWeakensFromHeadToHead) {
  const OffsetBias<double> bias = biasOf({{"bar_d", 16.0}}, 50, 3);
  for (std::int64_t h = 0; h < 3; ++h) {
    EXPECT_NEAR(bias.at(h, 0), 8 * 3 / (8.0 * static_cast<double>(h + 1)), 1e-12);
    for (std::int64_t n = 1; n < 50; ++n) {
      EXPECT_EQ(bias.at(h, n), bias.at(h, -n));
      EXPECT_LT(bias.at(h, n), bias.at(h, 0));
    }
  }
  const OffsetBias<double> causal = biasOf({{"bar_d", 16.0}, {"reading", std::string("causal")}}, 50, 3);
  EXPECT_EQ(causal.at(1, -7), causal.at(1, 0));
  EXPECT_EQ(causal.at(1, 7), bias.at(1, 7));
}

TEST(Sandwich, anOddWidthHasNoPairs) {
  EXPECT_EQ(test::refusal("sandwich", {{"bar_d", 7.0}}, {}), "sandwich: bar_d must be even, got 7");
}

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/fope.h"

#include "tests/support/attending.h"
#include "tests/support/encoded.h"

#include <gtest/gtest.h>

#include <cmath>

namespace posiscope {
namespace {

using schemes::FopeParams;

Shape shapeOf(std::int64_t length, std::int64_t dim) {
  Shape shape;
  shape.seq_len = length;
  shape.num_heads = 4;
  shape.num_kv_heads = 2;
  shape.head_dim = dim;
  return shape;
}

Array identity(std::int64_t heads, std::int64_t size) {
  std::vector<double> values(static_cast<std::size_t>(heads * size * size));
  for (std::int64_t h = 0; h < heads; ++h)
    for (std::int64_t k = 0; k < size; ++k) values[static_cast<std::size_t>((h * size + k) * size + k)] = 1;
  return makeArray({heads, size, size}, values);
}

TEST(Fope, keepsThePairsThatTurnInTraining) {
  EXPECT_EQ(schemes::fopeKept({.base = 1e4, .train_length = 4096}, 128).size(), 46u);
  EXPECT_EQ(schemes::fopeKept({.base = 5e5, .train_length = 8192}, 128).size(), 35u);
  EXPECT_EQ(schemes::fopeKept({.base = 1e4, .train_length = 6}, 16).size(), 0u);
  // Strictly above: with base 1 and this length all frequencies are at the border.
  EXPECT_EQ(schemes::fopeKept({.base = 1, .train_length = 6.283185307179586}, 16).size(), 0u);
}

TEST(Fope, theIdentityIsRopeWhenEveryPairIsKept) {
  const Shape shape = shapeOf(13, 8);
  const auto content = test::randomContent<double>(shape);
  for (const std::string pairing : {"interleaved", "half"}) {
    const ParamValues values{{"train_length", 1e9},
                             {"base", 100.0},
                             {"cos_coef", identity(2, 4)},
                             {"sin_coef", identity(2, 4)},
                             {"pairing", pairing}};
    const auto found = test::attending(test::encoded("fope", values, shape), content, {}, shape);
    const auto rope =
        test::attending(test::encoded("rope", {{"base", 100.0}, {"pairing", pairing}}, shape), content, {}, shape);
    for (std::size_t e = 0; e < rope.weights.size(); ++e) ASSERT_NEAR(found.weights[e], rope.weights[e], 1e-12);
  }
}

TEST(Fope, droppedPairsTurnOrStandStill) {
  FopeParams p{.base = 1e4, .train_length = 64};
  const Shape shape = shapeOf(5, 16);  // three pairs are kept
  for (const std::int64_t sine : {0, 1}) {
    p.pad_sin = sine;
    const schemes::FopeTurns turns = schemes::fopeTurns(p, shape, 1, 3, 5);
    for (std::int64_t t = 0; t < 5; ++t)
      for (std::size_t pair = 3; pair < 8; ++pair) {
        EXPECT_EQ(turns.cosine.row(t)[pair], 1.0);
        EXPECT_EQ(turns.sine.row(t)[pair], static_cast<double>(sine));
      }
  }
}

TEST(Fope, mixesFrequenciesByColumn) {
  const Shape shape = shapeOf(6, 4);
  FopeParams p{.base = 4, .train_length = 1000};
  p.cos_coef = makeArray({2, 2, 2}, {0, 0, 0, 0, 1, 2, 3, 4});
  p.sin_coef = makeArray({2, 2, 2}, {0, 0, 0, 0, 5, 6, 7, 8});
  const schemes::FopeTurns turns = schemes::fopeTurns(p, shape, 1, 0, 6);
  EXPECT_NEAR(turns.cosine.row(5)[1], 2 * std::cos(5.0) + 4 * std::cos(2.5), 1e-14);
  EXPECT_NEAR(turns.sine.row(5)[0], 5 * std::sin(5.0) + 7 * std::sin(2.5), 1e-14);
}

TEST(Fope, noiseIsDrawnFromTheSeed) {
  const Shape shape = shapeOf(4, 16);
  const FopeParams p{.seed = 1}, q{.seed = 2}, still{.noise = 0};
  EXPECT_EQ(schemes::fopeTurns(p, shape, 0, 0, 4).cosine.values, schemes::fopeTurns(p, shape, 0, 0, 4).cosine.values);
  EXPECT_NE(schemes::fopeTurns(p, shape, 0, 0, 4).cosine.values, schemes::fopeTurns(q, shape, 0, 0, 4).cosine.values);
  EXPECT_NE(schemes::fopeTurns(p, shape, 0, 0, 4).cosine.values, schemes::fopeTurns(p, shape, 1, 0, 4).cosine.values);
  EXPECT_NEAR(schemes::fopeTurns(still, shape, 0, 2, 1).sine.row(0)[0], std::sin(2.0), 1e-15);
}

TEST(Fope, refusesCoefficientsOfAnotherCount) {
  EXPECT_EQ(test::refusal("fope", {{"train_length", 64.0}, {"cos_coef", identity(4, 3)}}, shapeOf(4, 16)),
            "fope: cos_coef must have shape (2, 3, 3), got (4, 3, 3)");
}

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rotary_grid.h"
#include "tests/support/rotated.h"

#include <cmath>

namespace posiscope {
namespace {

Shape mixedShape(std::int64_t heads = 3) {
  Shape shape;
  shape.grid_height = 3;
  shape.grid_width = 4;
  shape.seq_len = 12;
  shape.num_heads = heads;
  shape.head_dim = 8;
  return shape;
}

TEST(RopeMixed, startsWithTwoOrthogonalDirectionsOfEqualSpeed) {
  const std::vector<double> phi{0.3, -1.2};
  const std::vector<double> w = mixedFrequencies(10, 12, phi);
  ASSERT_EQ(w.size(), 2u * 2 * 6);
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto x = [&](std::size_t pair) { return w[h * 6 + pair]; };
      const auto y = [&](std::size_t pair) { return w[12 + h * 6 + pair]; };
      const double magnitude = std::pow(10.0, -4.0 * static_cast<double>(k) / 12);
      EXPECT_NEAR(std::hypot(x(k), y(k)), magnitude, 1e-15);
      EXPECT_NEAR(std::hypot(x(k + 3), y(k + 3)), magnitude, 1e-15);
      EXPECT_NEAR(x(k) * x(k + 3) + y(k) * y(k + 3), 0, 1e-15);
    }
}

TEST(RopeMixed, directionZeroIsAxialWithColumnsFirst) {
  const RotationPart r =
      test::rotationOf("rope_mixed", {{"phi", makeArray({3}, {0, 0, 0})}, {"base", 100.0}}, mixedShape());
  for (std::int64_t t = 0; t < 12; ++t) {
    EXPECT_DOUBLE_EQ(r.angle(2, t, 1), static_cast<double>(t % 4) * std::pow(100.0, -0.5));
    EXPECT_DOUBLE_EQ(r.angle(2, t, 3), static_cast<double>(t / 4) * std::pow(100.0, -0.5));
  }
}

TEST(RopeMixed, givenCoefficientsAreTaken) {
  std::vector<double> numbers = test::normals(2 * 3 * 4, "freqs");
  const RotationPart r = test::rotationOf("rope_mixed", {{"freqs", makeArray({2, 3, 4}, numbers)}}, mixedShape());
  for (std::int64_t h = 0; h < 3; ++h)
    for (std::int64_t p = 0; p < 4; ++p)
      EXPECT_DOUBLE_EQ(r.angle(h, 7, p), 3 * numbers[static_cast<std::size_t>(h * 4 + p)] +
                                             1 * numbers[static_cast<std::size_t>(12 + h * 4 + p)]);
}

TEST(RopeMixed, scoresDependOnTheTwoOffsetsAndOnTheHead) {
  const std::vector<double> q = test::normals(8, "q"), k = test::normals(8, "k");
  const RotationPart r = test::rotationOf("rope_mixed", {}, mixedShape());
  ASSERT_EQ(r.sets, 3);
  const double score = test::scoreOf(r, q, k, 5, 0, 1);
  EXPECT_NEAR(test::scoreOf(r, q, k, 11, 6, 1), score, 1e-12);
  EXPECT_GT(std::abs(test::scoreOf(r, q, k, 5, 0, 2) - score), 1e-6);
}

TEST(RopeMixed, layersDrawTheirOwnDirections) {
  Shape shape = mixedShape();
  shape.num_layers = 2;
  const RotationPart first = test::rotationOf("rope_mixed", {}, shape);
  EXPECT_EQ(test::rotationOf("rope_mixed", {}, shape).frequency, first.frequency);
  shape.layer = 1;
  EXPECT_NE(test::rotationOf("rope_mixed", {}, shape).frequency, first.frequency);
}

TEST(RopeMixed, refusesWhatDoesNotFit) {
  Shape shape = mixedShape();
  shape.head_dim = 6;
  EXPECT_EQ(test::refusal("rope_mixed", {}, shape), "rope_mixed: head_dim must be a multiple of 4, got 6");
  EXPECT_EQ(test::refusal("rope_mixed", {{"phi", makeArray({2}, {0, 0})}}, mixedShape()),
            "rope_mixed: phi must have shape (3,), got (2,)");
}

}  // namespace
}  // namespace posiscope

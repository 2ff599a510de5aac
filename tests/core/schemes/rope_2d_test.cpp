// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rotary_grid.h"
#include "tests/support/rotated.h"

#include <cmath>
#include <numbers>
#include <set>

namespace posiscope {
namespace {

Shape gridShape(std::int64_t height, std::int64_t width, std::int64_t head_dim = 16, std::int64_t prefix = 0) {
  Shape shape;
  shape.grid_height = height;
  shape.grid_width = width;
  shape.seq_len = height * width + prefix;
  shape.num_heads = 3;
  shape.head_dim = head_dim;
  return shape;
}

const std::string split = "split_freq", normalized = "normalized";

TEST(Rope2d, halfOfThePairsTurnWithEachAxis) {
  const RotationPart r = test::rotationOf("rope_2d", {{"base", 100.0}}, gridShape(4, 6));
  ASSERT_EQ(r.pairs(), 8);
  for (std::int64_t t = 0; t < 24; ++t)
    for (std::int64_t p = 0; p < 8; ++p) {
      const double coordinate = static_cast<double>(p < 4 ? t / 6 : t % 6);
      EXPECT_NEAR(r.angle(0, t, p), coordinate * std::pow(100.0, -static_cast<double>(p % 4) / 4), 1e-14);
    }
}

TEST(Rope2d, pixtralSharesTheListOut) {
  const RotationPart r = test::rotationOf("rope_2d", {{"variant", split}}, gridShape(2, 3, 12));
  ASSERT_EQ(r.pairs(), 6);
  std::set<double> all;
  for (std::int64_t p = 0; p < 6; ++p) {
    const std::int64_t axis = p < 3 ? 0 : 1;
    EXPECT_NEAR(r.frequencyOf(0, axis, p), std::pow(10000.0, -2.0 * static_cast<double>(2 * (p % 3) + axis) / 12),
                1e-15);
    EXPECT_EQ(r.frequencyOf(0, 1 - axis, p), 0);
    all.insert(r.frequencyOf(0, axis, p));
  }
  EXPECT_EQ(all.size(), 6u);
}

TEST(Rope2d, dinoPutsTheCentresBetweenMinusOneAndOne) {
  const RotationPart r = test::rotationOf("rope_2d", {{"variant", normalized}, {"base", 100.0}}, gridShape(1, 4));
  EXPECT_EQ(r.angle(0, 2, 0), 0);  // one row: its centre is 0
  EXPECT_NEAR(r.angle(0, 0, 4), -0.75 * 2 * std::numbers::pi, 1e-14);
  EXPECT_NEAR(r.angle(0, 3, 4), 0.75 * 2 * std::numbers::pi, 1e-14);
}

TEST(Rope2d, evaStretchesToTheReferenceGrid) {
  const RotationPart r = test::rotationOf("rope_2d", {{"ref_shape", std::vector<double>{8, 3}}}, gridShape(4, 6));
  EXPECT_DOUBLE_EQ(r.angle(0, 6, 0), 2);    // row 1 of 4 on a grid of 8
  EXPECT_DOUBLE_EQ(r.angle(0, 1, 4), 0.5);  // column 1 of 6 on a grid of 3
}

TEST(Rope2d, scoresDependOnTheTwoOffsets) {
  const std::vector<double> q = test::normals(16, "q"), k = test::normals(16, "k");
  for (const std::string pairing : {"interleaved", "half", "block_half"})
    for (const std::string& variant : {std::string("axial"), split, normalized}) {
      const RotationPart r = test::rotationOf("rope_2d", {{"pairing", pairing}, {"variant", variant}}, gridShape(3, 5));
      const double score = test::scoreOf(r, q, k, 1 * 5 + 3, 0 * 5 + 1);
      EXPECT_NEAR(test::scoreOf(r, q, k, 2 * 5 + 4, 1 * 5 + 2), score, 1e-12) << pairing << variant;
      EXPECT_GT(std::abs(test::scoreOf(r, q, k, 0 * 5 + 1, 1 * 5 + 3) - score), 1e-3);
      EXPECT_NEAR(test::dotOf(test::turned(r, q, 7), test::turned(r, q, 7)), test::dotOf(q, q), 1e-12);
    }
}

TEST(Rope2d, exchangingTheSidesTransposes) {
  const RotationPart wide = test::rotationOf("rope_2d", {}, gridShape(2, 5));
  const RotationPart tall = test::rotationOf("rope_2d", {}, gridShape(5, 2));
  for (std::int64_t y = 0; y < 2; ++y)
    for (std::int64_t x = 0; x < 5; ++x)
      for (std::int64_t p = 0; p < 4; ++p) EXPECT_EQ(wide.angle(0, y * 5 + x, p), tall.angle(0, x * 2 + y, p + 4));
}

TEST(Rope2d, blockHalfStaysInsideTheAxis) {
  const RotationPart r = test::rotationOf("rope_2d", {{"pairing", std::string("block_half")}}, gridShape(2, 2));
  EXPECT_EQ(r.firstDim(0), 0);
  EXPECT_EQ(r.secondDim(0), 4);
  EXPECT_EQ(r.firstDim(4), 8);
  EXPECT_EQ(r.secondDim(4), 12);
}

TEST(Rope2d, prefixTokensAreNotTurned) {
  const RotationPart r = test::rotationOf("rope_2d", {{"prefix_tokens", 1.0}}, gridShape(2, 3, 16, 1));
  const std::vector<double> q = test::normals(16, "q");
  EXPECT_EQ(test::turned(r, q, 0), q);
  EXPECT_EQ(r.angle(0, 3, 4), 2);  // the third patch
}

TEST(Rope2d, refusesWhatHasNoMeaning) {
  EXPECT_EQ(test::refusal("rope_2d", {}, gridShape(2, 2, 10)), "rope_2d: head_dim must be a multiple of 4, got 10");
  Shape shape = gridShape(2, 3);
  shape.seq_len = 7;
  EXPECT_EQ(test::refusal("rope_2d", {}, shape), "rope_2d: seq_len must be grid_height × grid_width = 2 × 3, got 7");
  EXPECT_EQ(test::refusal("rope_2d", {{"ref_shape", std::vector<double>{16}}}, gridShape(2, 2)),
            "rope_2d: ref_shape must be a height and a width above 0, such as [16,16], got [16]");
}

}  // namespace
}  // namespace posiscope

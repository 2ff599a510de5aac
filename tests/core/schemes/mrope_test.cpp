// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mrope.h"
#include "tests/support/rotated.h"

#include <algorithm>

namespace posiscope {
namespace {

using List = std::vector<double>;

Shape mropeShape(std::int64_t seq_len, std::int64_t head_dim = 32) {
  Shape shape;
  shape.seq_len = seq_len;
  shape.head_dim = head_dim;
  return shape;
}

const std::string interleaved = "interleaved";

TEST(Mrope, textBehindAnImageGoesOnAfterItsLongestSide) {
  const List ids = mediaPositions({{3, 0, 0}, {1, 2, 3}, {2, 0, 0}});
  const List t{0, 1, 2, 3, 3, 3, 3, 3, 3, 6, 7}, h{0, 1, 2, 3, 3, 3, 4, 4, 4, 6, 7}, w{0, 1, 2, 3, 4, 5, 3, 4, 5, 6, 7};
  EXPECT_EQ(List(ids.begin(), ids.begin() + 11), t);
  EXPECT_EQ(List(ids.begin() + 11, ids.begin() + 22), h);
  EXPECT_EQ(List(ids.begin() + 22, ids.end()), w);
  const List video = mediaPositions({{5, 2, 2}, {1, 0, 0}});
  EXPECT_EQ(video[20], 5);  // five frames are longer than two rows
}

TEST(Mrope, textAloneIsRope) {
  for (const std::string mode : {"chunked", "interleaved"}) {
    const RotationPart r = test::rotationOf("mrope", {{"mode", mode}}, mropeShape(9));
    const RotationPart plain = test::rotationOf("rope", {{"base", 1e6}}, mropeShape(9));
    for (std::int64_t t = 0; t < 9; ++t)
      for (std::int64_t p = 0; p < 16; ++p) EXPECT_EQ(r.angle(0, t, p), plain.angle(0, t, p)) << mode;
  }
}

TEST(Mrope, pairsAreSharedOutInChunksOrInTurns) {
  const auto chunks = axisOfPairs("mrope", {1, 2, 3}, MropeMode::chunked, 6);
  EXPECT_EQ(*chunks, (std::vector<std::int64_t>{0, 1, 1, 2, 2, 2}));
  const auto turns = axisOfPairs("mrope", {4, 2, 2}, MropeMode::interleaved, 8);
  EXPECT_EQ(*turns, (std::vector<std::int64_t>{0, 1, 2, 0, 1, 2, 0, 0}));
  EXPECT_EQ(usualSections(MropeMode::chunked, 64), (std::vector<std::int64_t>{16, 24, 24}));
  EXPECT_EQ(usualSections(MropeMode::interleaved, 64), (std::vector<std::int64_t>{24, 20, 20}));
  for (std::int64_t pairs = 1; pairs < 70; ++pairs)
    for (const MropeMode mode : {MropeMode::chunked, MropeMode::interleaved})
      EXPECT_TRUE(axisOfPairs("mrope", usualSections(mode, pairs), mode, pairs)) << pairs;
}

TEST(Mrope, eachPairFollowsItsAxis) {
  const ParamValues values{{"sections", List{4, 6, 6}}, {"segments", List{2, 0, 0, 1, 2, 2}}};
  const RotationPart r = test::rotationOf("mrope", values, mropeShape(8));
  const double w0 = r.frequencyOf(0, 0, 0), w4 = r.frequencyOf(0, 1, 4), w10 = r.frequencyOf(0, 2, 10);
  EXPECT_EQ(w0, 1);
  // Token 4 is the patch in row 1, column 0 of the image that starts at 2.
  EXPECT_DOUBLE_EQ(r.angle(0, 4, 0), 2 * w0);
  EXPECT_DOUBLE_EQ(r.angle(0, 4, 4), 3 * w4);
  EXPECT_DOUBLE_EQ(r.angle(0, 4, 10), 2 * w10);
  EXPECT_DOUBLE_EQ(r.angle(0, 6, 10), 4 * w10);  // the text that is left
}

TEST(Mrope, theGridOfTheShapeIsAnImage) {
  Shape shape = mropeShape(8);
  shape.grid_height = 2;
  shape.grid_width = 3;
  const RotationPart r = test::rotationOf("mrope", {}, shape);
  EXPECT_EQ(r.position[5], 0);          // time of the last patch
  EXPECT_EQ(r.position[8 + 5], 1);      // its row
  EXPECT_EQ(r.position[2 * 8 + 5], 2);  // its column
  EXPECT_EQ(r.position[6], 3);
}

TEST(Mrope, scoresInsideAnImageDependOnTheOffsets) {
  const List q = test::normals(32, "q"), k = test::normals(32, "k");
  const RotationPart r =
      test::rotationOf("mrope", {{"segments", List{3, 0, 0, 2, 3, 4}}, {"mode", interleaved}}, mropeShape(27));
  const auto token = [](std::int64_t t, std::int64_t y, std::int64_t x) { return 3 + t * 12 + y * 4 + x; };
  EXPECT_NEAR(test::scoreOf(r, q, k, token(1, 2, 3), token(0, 1, 1)),
              test::scoreOf(r, q, k, token(1, 1, 2), token(0, 0, 0)), 1e-12);
}

TEST(Mrope, saysWhatInterleavingCannotGiveASection) {
  const auto warningsOf = [](List sections) {
    return test::encoded<double>("mrope", {{"sections", std::move(sections)}, {"mode", interleaved}}, mropeShape(4))
        .warnings;
  };
  EXPECT_TRUE(warningsOf({6, 5, 5}).empty());
  const std::vector<Text> said = warningsOf({2, 7, 7});
  ASSERT_EQ(said.size(), 2U);
  EXPECT_EQ(said[0].en,
            "Interleaving leaves every third pair to an axis: height has 5 of the 7 pairs of its section, the others "
            "turn by time.");
  const RotationPart r = test::rotationOf("mrope", {{"sections", List{2, 7, 7}}, {"mode", interleaved}}, mropeShape(4));
  for (std::int64_t p = 0; p < r.pairs(); ++p)
    for (std::int64_t axis = 0; axis < 3; ++axis)
      EXPECT_EQ(r.frequencyOf(0, axis, p) != 0, axis == (p == 15 ? 0 : p % 3)) << p << " " << axis;
}

TEST(Mrope, refusesWhatDoesNotFit) {
  EXPECT_EQ(test::refusal("mrope", {{"sections", List{4, 6, 5}}}, mropeShape(4)),
            "mrope: sections must be three counts (time, height, width) that add up to the 16 pairs of a head, got "
            "[4,6,5]");
  EXPECT_EQ(test::refusal("mrope", {{"segments", List{1, 2}}}, mropeShape(4)),
            "mrope: segments must be triples (time, height, width), got 2 numbers");
  EXPECT_EQ(test::refusal("mrope", {{"segments", List{1, 2, 3}}}, mropeShape(4)),
            "mrope: the segments have 6 tokens, seq_len must be at least that, got 4");
  EXPECT_NE(test::refusal("mrope", {{"segments", List{1, 2, 0}}}, mropeShape(4)), "accepted");
  EXPECT_NE(test::refusal("mrope", {{"segments", List{1e9, 0, 0}}}, mropeShape(4)), "accepted");
}

}  // namespace
}  // namespace posiscope

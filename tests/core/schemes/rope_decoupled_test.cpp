// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/rotated.h"

#include <algorithm>
#include <cmath>

namespace posiscope {
namespace {

Shape headShape(std::int64_t head_dim) {
  Shape shape;
  shape.seq_len = 24;
  shape.head_dim = head_dim;
  return shape;
}

ParamValues deepseek(double mscale) {
  return {{"rotary_dim", 64.0}, {"scaling", std::string("yarn")}, {"factor", 40.0}, {"original_length", 4096.0},
          {"mscale", mscale},   {"mscale_all_dim", mscale}};
}

TEST(RopeDecoupled, theLastDimensionsTurnWithTheirOwnFrequencies) {
  const RotationPart r = test::rotationOf("rope_decoupled", {{"rotary_dim", 8.0}}, headShape(20));
  EXPECT_EQ(r.first_dim, 12);
  EXPECT_EQ(r.endDim(), 20);
  const RotationPart alone = test::rotationOf("rope", {}, headShape(8));
  EXPECT_EQ(r.frequency, alone.frequency);
  const std::vector<double> x = test::normals(20, "x");
  const std::vector<double> after = test::turned(r, x, 5);
  EXPECT_TRUE(std::equal(x.begin(), x.begin() + 12, after.begin()));
  const std::vector<double> part = test::turned(alone, {x.begin() + 12, x.end()}, 5);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), after.begin() + 12));
}

TEST(RopeDecoupled, halvesAreThoseOfTheRotatedPart) {
  const RotationPart r =
      test::rotationOf("rope_decoupled", {{"rotary_dim", 8.0}, {"pairing", std::string("half")}}, headShape(20));
  EXPECT_EQ(r.firstDim(1), 13);
  EXPECT_EQ(r.secondDim(1), 17);
}

TEST(RopeDecoupled, theScaleIsThatOfTheWholeWidth) {
  const Encoding<double> v3 = test::encoded("rope_decoupled", deepseek(1), headShape(192));
  EXPECT_NEAR(v3.logit_scale, 0.1352338, 5e-8);
  EXPECT_EQ(v3.rotation->attention_factor, 1);
  const Encoding<double> v2 = test::encoded("rope_decoupled", deepseek(0.707), headShape(192));
  EXPECT_NEAR(v2.logit_scale * std::sqrt(192.0), 1.5896261651208734, 1e-12);
  ParamValues plain = deepseek(0.707);
  plain["rescale_softmax"] = false;
  EXPECT_DOUBLE_EQ(test::encoded("rope_decoupled", plain, headShape(192)).logit_scale, 1 / std::sqrt(192.0));
}

TEST(RopeDecoupled, aThirdOfTheHeadUnlessTold) {
  EXPECT_EQ(test::rotationOf("rope_decoupled", {}, headShape(192)).rotary_dim, 64);
  EXPECT_EQ(test::rotationOf("rope_decoupled", {}, headShape(8)).rotary_dim, 2);
  EXPECT_EQ(test::rotationOf("rope_decoupled", {{"rotary_share", 1.0}}, headShape(8)).first_dim, 0);
}

TEST(RopeDecoupled, withoutARotatedPartItIsNope) {
  EXPECT_FALSE(test::encoded("rope_decoupled", {{"rotary_share", 0.0}}, headShape(12)).rotation);
}

TEST(RopeDecoupled, scoresSplitIntoContentAndPosition) {
  const RotationPart r = test::rotationOf("rope_decoupled", {{"rotary_dim", 8.0}}, headShape(20));
  const std::vector<double> q = test::normals(20, "q"), k = test::normals(20, "k");
  std::vector<double> content = q, position = q;
  std::fill(content.begin() + 12, content.end(), 0.0);
  std::fill(position.begin(), position.begin() + 12, 0.0);
  const auto score = [&](const std::vector<double>& x, std::int64_t i, std::int64_t j) {
    return test::scoreOf(r, x, k, i, j);
  };
  EXPECT_NEAR(score(q, 9, 2), score(content, 9, 2) + score(position, 9, 2), 1e-12);
  EXPECT_EQ(score(content, 9, 2), score(content, 20, 1));
  EXPECT_NEAR(score(position, 9, 2), score(position, 22, 15), 1e-12);
}

TEST(RopeDecoupled, refusesAnOddOrTooWidePart) {
  EXPECT_EQ(test::refusal("rope_decoupled", {{"rotary_dim", 7.0}}, headShape(15)),
            "rope_decoupled: rotary_dim must be an even number up to head_dim 15, got 7");
  EXPECT_NE(test::refusal("rope_decoupled", {{"rotary_dim", 16.0}}, headShape(15)), "accepted");
}

}  // namespace
}  // namespace posiscope

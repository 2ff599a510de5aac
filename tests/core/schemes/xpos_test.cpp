// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/xpos.h"
#include "tests/support/attending.h"
#include "tests/support/rotated.h"

#include <cmath>

namespace posiscope {
namespace {

Shape xposShape(std::int64_t head_dim = 64, std::int64_t seq_len = 33) {
  Shape shape;
  shape.head_dim = head_dim;
  shape.seq_len = seq_len;
  return shape;
}

ParamValues centred(const std::string& at, double center = 0) { return {{"center_at", at}, {"center", center}}; }

TEST(Xpos, zetaRisesBelowOne) {
  for (const std::int64_t d : {2, 4, 10, 64}) {
    const std::vector<double> zeta = xposZeta(0.4, d);
    ASSERT_EQ(static_cast<std::int64_t>(zeta.size()), d / 2);
    EXPECT_DOUBLE_EQ(zeta.front(), 0.4 / 1.4);
    for (std::size_t p = 1; p < zeta.size(); ++p) EXPECT_GT(zeta[p], zeta[p - 1]);
    EXPECT_LT(zeta.back(), 1);
  }
}

TEST(Xpos, scoresDependOnTheOffsetAndNotOnTheCentre) {
  const std::vector<double> q = test::normals(64, "q"), k = test::normals(64, "k");
  const RotationPart zero = test::rotationOf("xpos", centred("position"), xposShape());
  const double score = test::scoreOf(zero, q, k, 20, 6);
  EXPECT_NEAR(test::scoreOf(zero, q, k, 32, 18), score, 1e-12);
  for (const ParamValues& values : {centred("floor"), centred("ceil"), centred("position", 100.5)})
    EXPECT_NEAR(test::scoreOf(test::rotationOf("xpos", values, xposShape()), q, k, 20, 6), score, 1e-12);
  EXPECT_EQ(test::rotationOf("xpos", centred("floor"), xposShape()).magnitude_center, 16);
  EXPECT_EQ(test::rotationOf("xpos", centred("ceil"), xposShape()).magnitude_center, 17);
}

TEST(Xpos, onesShrinkToThePastAndGrowToTheFuture) {
  const std::vector<double> ones(64, 1.0);
  const RotationPart r = test::rotationOf("xpos", {{"scale_base", 64.0}}, xposShape());
  const std::vector<double> zeta = xposZeta(0.4, 64);
  for (const std::int64_t n : {-9, 0, 9}) {
    double wanted = 0;
    for (std::int64_t p = 0; p < 32; ++p)
      wanted += 2 * std::pow(zeta[static_cast<std::size_t>(p)], static_cast<double>(n) / 64) *
                std::cos(static_cast<double>(n) * r.frequencyOf(0, 0, p));
    EXPECT_NEAR(test::scoreOf(r, ones, ones, 15 + n, 15), wanted, 1e-12) << n;
  }
}

TEST(Xpos, theRotationIsThatOfRope) {
  const RotationPart r = test::rotationOf("xpos", {{"rotary_share", 0.5}}, xposShape(20));
  const RotationPart plain = test::rotationOf("rope", {{"rotary_share", 0.5}}, xposShape(20));
  EXPECT_EQ(r.frequency, plain.frequency);
  EXPECT_EQ(r.position, plain.position);
  EXPECT_EQ(static_cast<std::int64_t>(r.log_magnitude.size()), r.pairs());
}

TEST(Xpos, refusesAndWarns) {
  EXPECT_EQ(test::refusal("xpos", {}, xposShape(7)),
            "xpos: head_dim must be even where the whole head turns in pairs, got 7");
  EXPECT_TRUE(test::encoded("xpos", {}, xposShape(64, 4096)).warnings.empty());
  EXPECT_EQ(test::encoded("xpos", {}, xposShape(64, 1 << 17)).warnings.size(), 1u);
}

TEST(Xpos, factorsBeyondTheNumberTypeAreRefusedWhereTheyAreApplied) {
  Shape shape = xposShape(64, 33);
  shape.num_heads = 2;
  const auto weights = [&]<class T>(T, double first) {
    shape.first_position = first;
    const auto content = test::randomContent<T>(shape);
    return attention::attend(test::encoded<T>("xpos", centred("position"), shape), content, {}, shape, {}, Job());
  };
  const auto far = weights(0.0F, 100000);
  ASSERT_FALSE(far);
  EXPECT_EQ(far.error().code, ErrorCode::out_of_range);
  EXPECT_EQ(far.error().message.en,
            "xpos: tokens must be at most 32\u202f705 from the centre, where the factors leave the range of single "
            "precision, got 100\u202f032");
  EXPECT_FALSE(far.error().message.zh.empty());
  for (const double first : {0.0, 32600.0}) {
    const auto near = weights(0.0F, first);
    ASSERT_TRUE(near) << first;
    for (const float w : near->weights) ASSERT_TRUE(std::isfinite(w)) << first;
  }
  EXPECT_TRUE(weights(0.0, 100000.0)) << "double precision reaches farther";
  EXPECT_FALSE(weights(0.0, 400000.0));
}

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/self_extend.h"

#include "tests/support/attending.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

using schemes::SelfExtendParams;

template <class T>
class SelfExtendGolden : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(SelfExtendGolden, Scalars);

Shape shapeOf(std::int64_t length) {
  Shape shape;
  shape.seq_len = length;
  shape.num_heads = 2;
  shape.head_dim = 8;
  return shape;
}

Mask causal() {
  Mask mask;
  mask.causal = true;
  return mask;
}

TYPED_TEST(SelfExtendGolden, logitsAndWeights) {
  using T = TypeParam;
  const Shape shape = shapeOf(33);
  const auto encoding = test::encodingOf<T>("self_extend", {{"group", 4.0}, {"window", 8.0}}, shape);
  const auto content = test::goldenContent<T>("relmap_se_g4w8", "reference_more");
  auto found = test::attending(encoding, content, causal(), shape, {true, true, false, {}});
  for (std::size_t e = 0; e < found.logits.size(); ++e)
    if (e % 33 > e / 33 % 33) found.logits[e] = 0;  // how the reference writes them
  test::expectGolden(found.logits, test::golden("golden/relmap_se_g4w8__logits", "reference_more"), 1e-6, "logits");
  test::expectGolden(found.weights, test::golden("golden/relmap_se_g4w8__attn", "reference_more"), 2e-7, "weights");
}

TEST(SelfExtend, positionsOfTheReference) {
  struct Situation {
    const char* id;
    std::int64_t group, window, length;
  };
  for (const Situation& s : {Situation{"relmap_se_g4w8", 4, 8, 33}, Situation{"relmap_se_g3w8", 3, 8, 30},
                             Situation{"relmap_se_g1w4", 1, 4, 10}, Situation{"relmap_se_short", 4, 8, 6}}) {
    SelfExtendParams params;
    params.group = s.group;
    params.window = s.window;
    const auto positions = schemes::selfExtendPositions(params, shapeOf(s.length));
    const std::vector<double> found(positions.begin(), positions.end());
    test::expectClose(found, test::golden("golden/" + std::string(s.id) + "__relpos", "reference_more"), 0, 1e-300,
                      s.id);
  }
}

TEST(SelfExtend, isPlainRopeWithGroupOneOrInsideTheWindow) {
  const Shape shape = shapeOf(40);
  for (const std::string pairing : {"interleaved", "half"}) {
    const auto content = test::randomContent<double>(shape);
    const auto rope =
        test::attending(test::encodingOf<double>("rope", {{"pairing", pairing}}, shape), content, causal(), shape);
    for (const ParamValues& values :
         {ParamValues{{"group", 1.0}, {"window", 5.0}}, ParamValues{{"group", 8.0}, {"window", 40.0}}}) {
      ParamValues with = values;
      with["pairing"] = pairing;
      const auto found =
          test::attending(test::encodingOf<double>("self_extend", with, shape), content, causal(), shape);
      for (std::size_t e = 0; e < rope.weights.size(); ++e) ASSERT_NEAR(found.weights[e], rope.weights[e], 1e-12);
    }
  }
}

TEST(SelfExtend, refusesAnOddHead) {
  Shape shape = shapeOf(4);
  shape.head_dim = 7;
  const auto wrong = schemes::find("self_extend")->check({}, shape);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::bad_shape);
}

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/swin_v2.h"

#include "tests/support/attending.h"

#include <gtest/gtest.h>
#include <map>
#include <set>
#include <utility>

namespace posiscope {
namespace {

using schemes::SwinV2Params;

template <class T>
class SwinV2Golden : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(SwinV2Golden, Scalars);

Shape windowOf(std::int64_t side) {
  Shape shape;
  shape.seq_len = side * side;
  shape.grid_height = side;
  shape.grid_width = side;
  shape.num_heads = 3;
  shape.head_dim = 8;
  return shape;
}

SwinV2Params paramsOf(std::int64_t pretrained) {
  SwinV2Params params;
  params.pretrained_height = pretrained;
  params.pretrained_width = pretrained;
  params.hidden = 16;
  params.w1 = test::golden("inputs/swinv2_cpb_4x4__W1");
  params.b1 = test::golden("inputs/swinv2_cpb_4x4__b1");
  params.w2 = test::golden("inputs/swinv2_cpb_4x4__W2");
  return params;
}

TYPED_TEST(SwinV2Golden, bias) {
  using T = TypeParam;
  test::expectGolden(schemes::swinV2Bias<T>(paramsOf(0), windowOf(4)), test::golden("golden/swinv2_cpb_4x4__bias"),
                     5e-6, "4 × 4");
  test::expectGolden(schemes::swinV2Bias<T>(paramsOf(3), windowOf(5)), test::golden("golden/swinv2_cpb_5x5_pre3__bias"),
                     5e-6, "5 × 5 from 3");
}

TYPED_TEST(SwinV2Golden, weights) {
  using T = TypeParam;
  const SwinV2Params p = paramsOf(0);
  const auto encoding = test::encodingOf<T>("swin_v2",
                                            {{"hidden", 16.0},
                                             {"w1", p.w1},
                                             {"b1", p.b1},
                                             {"w2", p.w2},
                                             {"logit_scale", test::golden("inputs/swinv2_attn_4x4__logit_scale")}},
                                            windowOf(4));
  const auto found = test::attending(encoding, test::goldenContent<T>("swinv2_attn_4x4"), {}, windowOf(4));
  // Cosines times a scale of 100: float loses two more digits than elsewhere.
  test::expectGolden(found.weights, test::golden("golden/swinv2_attn_4x4__attn"), 2e-7, "attention");
}

TEST(SwinV2, coordinatesOfTheReference) {
  struct Window {
    const char* id;
    std::int64_t height, width, pretrained;
  };
  for (const Window& w : {Window{"swinv2_coords_1x1_pre0", 1, 1, 0}, Window{"swinv2_coords_8x8_pre0", 8, 8, 0},
                          Window{"swinv2_coords_12x12_pre8", 12, 12, 8}, Window{"swinv2_coords_3x5_pre0", 3, 5, 0}}) {
    const auto found = schemes::swinV2Coordinates(paramsOf(w.pretrained), w.height, w.width);
    test::expectClose(found, test::golden("golden/" + std::string(w.id) + "__coords"), 1e-10, 1e-12, w.id);
  }
}

TEST(SwinV2, everyOffsetOfAWindowThatIsNotSquareHasItsOwnBias) {
  Shape shape = windowOf(3);
  shape.grid_width = 5;
  shape.seq_len = 15;
  const std::vector<double> bias = schemes::swinV2Bias<double>({}, shape);
  std::map<std::pair<int, int>, double> by_offset;
  for (int i = 0; i < 15; ++i)
    for (int j = 0; j < 15; ++j) {
      const std::pair<int, int> offset{i / 5 - j / 5, i % 5 - j % 5};
      const double value = bias[static_cast<std::size_t>(i * 15 + j)];
      EXPECT_EQ(by_offset.try_emplace(offset, value).first->second, value) << i << ", " << j;
    }
  std::set<double> values;
  for (const auto& [offset, value] : by_offset) values.insert(value);
  EXPECT_EQ(values.size(), 5U * 9U);
}

TEST(SwinV2, longerVectorsDoNotChangeACosine) {
  const Shape shape = windowOf(4);
  auto content = test::randomContent<double>(shape);
  const auto encoding = test::encodingOf<double>("swin_v2", {}, shape);
  const auto before = test::attending(encoding, content, {}, shape);
  for (double& x : content.q) x *= 5;
  const auto after = test::attending(encoding, content, {}, shape);
  for (std::size_t e = 0; e < before.weights.size(); ++e) ASSERT_NEAR(before.weights[e], after.weights[e], 1e-13);
}

TEST(SwinV2, needsAGrid) {
  Shape shape = windowOf(4);
  shape.seq_len = 15;
  const auto wrong = schemes::find("swin_v2")->check({}, shape);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::bad_shape);
  EXPECT_NE(wrong.error().message.en.find("4 × 4, got 15"), std::string::npos) << wrong.error().message.en;
}

}  // namespace
}  // namespace posiscope

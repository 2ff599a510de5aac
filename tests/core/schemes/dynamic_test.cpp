// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/dynamic.h"

#include "tests/support/attending.h"

#include <gtest/gtest.h>

#include <numeric>

namespace posiscope {
namespace {

using schemes::DynamicParams;

template <class T>
class DynamicGolden : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(DynamicGolden, Scalars);

struct Situation {
  const char* id;
  std::int64_t length, d_model, window;
};

Shape shapeOf(std::int64_t length, std::int64_t d_model) {
  Shape shape;
  shape.seq_len = length;
  shape.num_heads = 1;
  shape.head_dim = d_model;
  shape.d_model = d_model;
  return shape;
}

TYPED_TEST(DynamicGolden, embeddings) {
  using T = TypeParam;
  for (const Situation& s : {Situation{"dynamic_L1w1", 1, 8, 1}, Situation{"dynamic_L2w2", 2, 8, 2},
                             Situation{"dynamic_L9w2", 9, 8, 2}, Situation{"dynamic_L5w0", 5, 6, 0}}) {
    const std::string id = s.id;
    const auto input = [&](const char* name) { return test::golden("inputs/" + id + "__" + name); };
    const auto encoding = test::encodingOf<T>("dynamic",
                                              {{"context_window", static_cast<double>(s.window)},
                                               {"base_table", input("base")},
                                               {"w1", input("W1")},
                                               {"b1", input("b1")},
                                               {"w2", input("W2")},
                                               {"b2", input("b2")}},
                                              shapeOf(s.length, s.d_model));
    const auto x = test::tableOf<T>(input("x"));
    test::expectGolden(attention::applyInput(encoding.input, rowsOf(x)).values, test::golden("golden/" + id + "__out"),
                       1e-6, id);
  }
}

TYPED_TEST(DynamicGolden, windowsAndAdjustment) {
  using T = TypeParam;
  for (const std::string id : {"dynamic_L2w2", "dynamic_L9w2"}) {
    const auto x = test::tableOf<T>(test::golden("inputs/" + id + "__x"));
    const auto windows = schemes::dynamicWindows(rowsOf(x), 2);
    test::expectGolden(windows.values, test::golden("golden/" + id + "__windows"), 1e-6, id);
    if (id == "dynamic_L2w2") continue;
    DynamicParams params;
    params.w1 = test::golden("inputs/" + id + "__W1");
    params.b1 = test::golden("inputs/" + id + "__b1");
    params.w2 = test::golden("inputs/" + id + "__W2");
    params.b2 = test::golden("inputs/" + id + "__b2");
    const auto weights = schemes::dynamicWeights<T>(params, shapeOf(9, 8));
    test::expectGolden(schemes::dynamicAdjustment(weights, rowsOf(windows)).values,
                       test::golden("golden/" + id + "__adj"), 2e-7, id);
  }
}

TEST(Dynamic, reachesAttentionThroughTheEmbeddings) {
  const Shape shape = shapeOf(12, 8);
  const auto content = test::randomContent<double>(shape, true);
  const auto encoding = test::encodingOf<double>("dynamic", {}, shape);
  const auto found = test::attending(encoding, content, {}, shape);
  Content<double> changed = content;
  changed.x = attention::applyInput(encoding.input, rowsOf(content.x));
  EXPECT_EQ(found.weights, test::attending(test::plainEncoding<double>(shape), changed, {}, shape).weights);
  EXPECT_NE(found.weights, test::attending(test::plainEncoding<double>(shape), content, {}, shape).weights);
}

TEST(Dynamic, movedPositionsReadTheRowsTheyMoveTo) {
  std::vector<double> numbers(12 * 8);
  std::iota(numbers.begin(), numbers.end(), 0.0);
  Shape moved = shapeOf(8, 8);
  moved.first_position = 4;
  for (const ParamValues& values : {ParamValues{}, ParamValues{{"base_table", makeArray({12, 8}, numbers)}}}) {
    const auto whole = test::encodingOf<double>("dynamic", values, shapeOf(12, 8)).input.table;
    const auto here = test::encodingOf<double>("dynamic", values, moved).input.table;
    EXPECT_EQ(here.values, std::vector<double>(whole.values.begin() + 4 * 8, whole.values.end()));
  }
  moved.first_position = 5;
  const auto past = schemes::find("dynamic")->check({{"base_table", makeArray({12, 8}, numbers)}}, moved);
  ASSERT_FALSE(past);
  EXPECT_EQ(past.error().message.en, "dynamic: position 12 is past the table; the table has positions 0 to 11");
  moved.first_position = -1;
  EXPECT_FALSE(schemes::find("dynamic")->check({}, moved));
}

TEST(Dynamic, refusesATableThatIsTooShort) {
  const Shape shape = shapeOf(12, 8);
  const auto wrong =
      schemes::find("dynamic")->check({{"base_table", makeArray({11, 8}, std::vector<double>(88))}}, shape);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::past_table);
  const auto narrow =
      schemes::find("dynamic")->check({{"base_table", makeArray({12, 7}, std::vector<double>(84))}}, shape);
  ASSERT_FALSE(narrow);
  EXPECT_EQ(narrow.error().code, ErrorCode::bad_shape);
}

}  // namespace
}  // namespace posiscope

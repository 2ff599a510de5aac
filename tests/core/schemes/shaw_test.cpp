// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/shaw.h"

#include "tests/support/attending.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

using schemes::ShawParams;

template <class T>
class ShawGolden : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(ShawGolden, Scalars);

struct Situation {
  const char* id;
  std::int64_t heads, queries, keys, dim;
  double k;
  bool causal;
  const char* output;
};

TYPED_TEST(ShawGolden, logitsWeightsAndOutput) {
  using T = TypeParam;
  const std::vector<Situation> situations{
      {"shaw_L1", 2, 1, 1, 4, 3, false, "logits"},         {"shaw_L2", 2, 2, 2, 4, 3, false, "logits"},
      {"shaw_L9k3", 2, 9, 9, 8, 3, false, "logits"},       {"shaw_L9k3", 2, 9, 9, 8, 3, false, "out"},
      {"shaw_L9k16_causal", 3, 9, 9, 8, 16, true, "attn"}, {"shaw_cache_3x8k2", 2, 3, 8, 8, 2, true, "attn"}};
  for (const Situation& s : situations) {
    Shape shape;
    shape.seq_len = s.keys;
    shape.seq_len_q = s.queries;
    shape.num_heads = s.heads;
    shape.head_dim = s.dim;
    Mask mask;
    mask.causal = s.causal;
    const std::string id = s.id;
    const std::string output = s.output;
    ParamValues values{{"max_distance", s.k}, {"relative_keys", test::golden("inputs/" + id + "__aK")}};
    if (output == "out") values["relative_values"] = test::golden("inputs/" + id + "__aV");
    const auto content = test::goldenContent<T>(id, "reference_bias", output == "out");
    const auto found = test::attending(test::encodingOf<T>("shaw", values, shape), content, mask, shape,
                                       {output == "logits", output == "attn", output == "out", {}});
    test::expectGolden(output == "logits" ? found.logits
                       : output == "attn" ? found.weights
                                          : found.output,
                       test::golden("golden/" + id + "__" + output), output == "attn" ? 2e-7 : 5e-7, id + output);
  }
}

TYPED_TEST(ShawGolden, fromEmbeddings) {
  using T = TypeParam;
  for (const bool causal : {true, false}) {
    Shape shape;
    shape.seq_len = causal ? 12 : 10;
    shape.num_heads = causal ? 4 : 2;
    shape.head_dim = 8;
    shape.d_model = 8 * shape.num_heads;
    Mask mask;
    mask.causal = causal;
    const std::string id = causal ? "attn_c_shaw" : "attn_n_shaw";
    const auto encoding = test::encodingOf<T>(
        "shaw", {{"max_distance", 3.0}, {"relative_keys", test::golden("inputs/" + id + "__aK")}}, shape);
    const auto content = test::goldenEmbeddings<T>(causal ? "attn_c_nope" : "attn_n_rope_partial");
    test::expectGolden(test::attending(encoding, content, mask, shape).weights, test::golden("golden/" + id + "__attn"),
                       2e-7, id);
  }
}

TEST(Shaw, indicesAndTermOfTheReference) {
  Shape shape;
  shape.seq_len = 9;
  ShawParams params;
  params.max_distance = 3;
  const auto indices = schemes::shawIndices(params, shape);
  const std::vector<double> found(indices.begin(), indices.end());
  test::expectClose(found, test::golden("golden/shaw_L9k3__index"), 0, 1e-300, "index");

  const Table<double> keys = test::tableOf<double>(test::golden("inputs/shaw_L9k3__aK"));
  const auto q = test::numbersOf<double>(test::golden("inputs/shaw_L9k3__Q"));
  std::vector<double> term;
  for (std::int64_t h = 0; h < 2; ++h) {
    const auto terms = schemes::shawTerms(Rows<double>{q.data() + h * 72, 9, 8}, rowsOf(keys));
    for (std::int64_t i = 0; i < 9; ++i)
      for (std::int64_t j = 0; j < 9; ++j)
        term.push_back(terms.row(i)[static_cast<std::size_t>(indices[static_cast<std::size_t>(i * 9 + j)])]);
  }
  test::expectGolden(term, test::golden("golden/shaw_L9k3__rel"), 5e-6, "rel");
}

TEST(Shaw, reversedTablesAreTheOtherDirection) {
  ShawParams params;
  params.max_distance = 4;
  ShawParams reversed = params;
  reversed.sign = schemes::ShawSign::i_minus_j;
  for (std::int64_t n = -9; n <= 9; ++n) EXPECT_EQ(schemes::shawIndex(params, n), 8 - schemes::shawIndex(reversed, n));
}

TEST(Shaw, zeroTablesArePlainAttention) {
  Shape shape;
  shape.seq_len = 20;
  shape.num_heads = 2;
  shape.head_dim = 4;
  const Array zeros = makeArray({33, 4}, std::vector<double>(132, 0.0));
  const auto content = test::randomContent<double>(shape);
  const auto found =
      test::attending(test::encodingOf<double>("shaw", {{"relative_keys", zeros}, {"relative_values", zeros}}, shape),
                      content, {}, shape, {false, true, true, {}});
  const auto plain = test::attending(test::plainEncoding<double>(shape), content, {}, shape, {false, true, true, {}});
  for (std::size_t e = 0; e < plain.weights.size(); ++e) ASSERT_NEAR(found.weights[e], plain.weights[e], 1e-14);
  for (std::size_t e = 0; e < plain.output.size(); ++e) ASSERT_NEAR(found.output[e], plain.output[e], 1e-14);
}

TEST(Shaw, drawsTheTablesThatAreNotGivenFromTheSeed) {
  Shape shape;
  shape.seq_len = 6;
  shape.num_heads = 1;
  const auto content = test::randomContent<float>(shape);
  const auto weights = [&](double seed) {
    return test::attending(test::encodingOf<float>("shaw", {{"seed", seed}}, shape), content, {}, shape).weights;
  };
  EXPECT_EQ(weights(1), weights(1));
  EXPECT_NE(weights(1), weights(2));
}

TEST(Shaw, refusesTablesAndValuesOfAnotherWidth) {
  Shape shape;
  shape.seq_len = 4;
  shape.head_dim = 4;
  shape.num_heads = 1;
  const Scheme& scheme = *schemes::find("shaw");
  const auto wrong = scheme.check({{"relative_keys", makeArray({3, 4}, std::vector<double>(12))}}, shape);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::bad_shape);
  EXPECT_EQ(wrong.error().message.en, "shaw: relative_keys must have shape (33, 4), got (3, 4)");

  Content<float> content = test::randomContent<float>(shape);
  content.value_dim = 2;
  content.v.resize(8);
  const auto result = attention::attend(test::encodingOf<float>("shaw", {}, shape), content, {}, shape,
                                        {false, false, true, {}}, Job());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::bad_shape);
}

}  // namespace
}  // namespace posiscope

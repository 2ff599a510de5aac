// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/transformer_xl.h"

#include "tests/support/attending.h"

#include <gtest/gtest.h>
#include <limits>

namespace posiscope {
namespace {

using schemes::TransformerXlParams;

template <class T>
class TransformerXlGolden : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(TransformerXlGolden, Scalars);

ParamValues weightsOf(const std::string& id) {
  return {{"w_r", test::golden("inputs/" + id + "__W_R")},
          {"u", test::golden("inputs/" + id + "__u")},
          {"v", test::golden("inputs/" + id + "__v")}};
}

Shape shapeOf(std::int64_t queries, std::int64_t keys, std::int64_t dim, std::int64_t d_model, std::int64_t heads = 2) {
  Shape shape;
  shape.seq_len = keys;
  shape.seq_len_q = queries;
  shape.num_heads = heads;
  shape.head_dim = dim;
  shape.d_model = d_model;
  return shape;
}

Mask causal() {
  Mask mask;
  mask.causal = true;
  return mask;
}

TYPED_TEST(TransformerXlGolden, weightsWithMemoryAndClamp) {
  using T = TypeParam;
  for (const std::string id : {"txl_L6", "txl_mem_4x9", "txl_mem_4x9_clamp3"}) {
    const Shape shape = id == "txl_L6" ? shapeOf(6, 6, 8, 16) : shapeOf(4, 9, 8, 16);
    ParamValues values = weightsOf(id);
    if (id == "txl_mem_4x9_clamp3") values["clamp_len"] = 3.0;
    const auto encoding = test::encodingOf<T>("transformer_xl", values, shape);
    test::expectGolden(test::attending(encoding, test::goldenContent<T>(id), causal(), shape).weights,
                       test::golden("golden/" + id + "__attn"), 2e-7, id);
  }
}

TYPED_TEST(TransformerXlGolden, logits) {
  using T = TypeParam;
  for (const std::string id : {"txl_L2", "txl_L6"}) {
    const Shape shape = id == "txl_L6" ? shapeOf(6, 6, 8, 16) : shapeOf(2, 2, 4, 8);
    const auto encoding = test::encodingOf<T>("transformer_xl", weightsOf(id), shape);
    auto logits =
        test::attending(encoding, test::goldenContent<T>(id), causal(), shape, {true, false, false, {}}).logits;
    for (std::size_t e = 0; e < logits.size(); ++e) {
      const auto keys = static_cast<std::size_t>(shape.keys());
      if (e % keys > e / keys % keys) logits[e] = -std::numeric_limits<T>::infinity();
    }
    test::expectGolden(logits, test::golden("golden/" + id + "__logits"), 1e-6, id);
  }
}

TYPED_TEST(TransformerXlGolden, fourTerms) {
  using T = TypeParam;
  for (const std::string id : {"txl_L1", "txl_L6", "txl_L6_bidir"}) {
    const bool small = id == "txl_L1";
    const std::int64_t length = small ? 1 : 6, dim = small ? 4 : 8;
    TransformerXlParams params;
    params.bidirectional = id == "txl_L6_bidir";
    const auto distances = schemes::distanceRows<T>(params, length, 2 * dim);
    const auto w_r = test::tableOf<T>(test::golden("inputs/" + id + "__W_R"));
    const auto u = test::tableOf<T>(test::golden("inputs/" + id + "__u"));
    const auto v = test::tableOf<T>(test::golden("inputs/" + id + "__v"));
    const auto content = test::goldenContent<T>(id);
    std::vector<T> terms(static_cast<std::size_t>(4 * 2 * length * length));
    for (std::int64_t h = 0; h < 2; ++h) {
      const std::int64_t start = h * length * dim;
      const schemes::TransformerXlTerms<T> head(
          params, distances, Rows<T>{w_r.values.data() + h * dim * w_r.cols, dim, w_r.cols}, u.row(h), v.row(h),
          Rows<T>{content.q.data() + start, length, dim}, Rows<T>{content.k.data() + start, length, dim}, 0);
      for (std::int64_t i = 0; i < length; ++i)
        for (std::int64_t j = 0; j < length; ++j)
          for (std::int64_t term = 0; term < 4; ++term)
            terms[static_cast<std::size_t>(((term * 2 + h) * length + i) * length + j)] =
                head.at(i, j)[static_cast<std::size_t>(term)];
    }
    test::expectGolden(terms, test::golden("golden/" + id + "__terms"), 2e-6, id);
  }
}

TYPED_TEST(TransformerXlGolden, fromEmbeddings) {
  using T = TypeParam;
  for (const bool bidirectional : {false, true}) {
    const Shape shape = bidirectional ? shapeOf(10, 10, 8, 16) : shapeOf(12, 12, 8, 32, 4);
    const std::string id = bidirectional ? "attn_n_transformer_xl" : "attn_c_transformer_xl";
    ParamValues values = weightsOf(id);
    values["bidirectional"] = bidirectional;
    const auto content = test::goldenEmbeddings<T>(bidirectional ? "attn_n_rope_partial" : "attn_c_nope");
    const auto encoding = test::encodingOf<T>("transformer_xl", values, shape);
    test::expectGolden(test::attending(encoding, content, bidirectional ? Mask{} : causal(), shape).weights,
                       test::golden("golden/" + id + "__attn"), 2e-7, id);
  }
}

TYPED_TEST(TransformerXlGolden, rowsOfDistancesAndRelativeShift) {
  using T = TypeParam;
  TransformerXlParams params;
  test::expectGolden(schemes::txlRows<T>(params, 7, 12).values, test::golden("golden/txl_R_L7__R"), 2e-7, "R");
  params.clamp_len = 4;
  test::expectGolden(schemes::txlRows<T>(params, 9, 8).values, test::golden("golden/txl_R_L9c4__R"), 2e-7, "R clamped");
  for (const std::string id : {"txl_relshift_3x5", "txl_relshift_4x4"}) {
    const auto x = test::tableOf<T>(test::golden("inputs/" + id + "__x"));
    test::expectGolden(schemes::relativeShift(rowsOf(x)).values, test::golden("golden/" + id + "__out"), 5e-7, id);
  }
}

TEST(TransformerXl, theShiftOfTheOriginalGivesTheSameTermAsReadingByDistance) {
  const Shape shape = shapeOf(4, 9, 8, 16);
  const auto content = test::randomContent<double>(shape);
  TransformerXlParams params;
  const auto distances = schemes::distanceRows<double>(params, 9, 16);
  const auto w_r = test::tableOf<double>(test::golden("inputs/txl_mem_4x9__W_R"));
  const std::vector<double> zero(8, 0.0);
  const Rows<double> q{content.q.data(), 4, 8};
  const schemes::TransformerXlTerms<double> terms(params, distances, Rows<double>{w_r.values.data(), 8, 16}, zero, zero,
                                                  q, Rows<double>{content.k.data(), 9, 8}, 5);
  const auto rows = schemes::txlRows<double>(params, 9, 16);
  Table<double> by_row = makeTable<double>(4, 9);  // q·W_R R in the order of R
  for (std::int64_t i = 0; i < 4; ++i)
    for (std::int64_t r = 0; r < 9; ++r)
      for (std::int64_t d = 0; d < 8; ++d)
        for (std::int64_t c = 0; c < 16; ++c)
          by_row.row(i)[static_cast<std::size_t>(r)] += q.row(i)[static_cast<std::size_t>(d)] *
                                                        w_r.row(d)[static_cast<std::size_t>(c)] *
                                                        rows.row(r)[static_cast<std::size_t>(c)];
  const auto shifted = schemes::relativeShift(rowsOf(by_row));
  for (std::int64_t i = 0; i < 4; ++i)
    for (std::int64_t j = 0; j <= i + 5; ++j)
      EXPECT_NEAR(terms.at(i, j)[1], shifted.row(i)[static_cast<std::size_t>(j)], 1e-12) << i << ", " << j;
}

TEST(TransformerXl, refusesWeightsOfAnotherShape) {
  const auto wrong =
      schemes::find("transformer_xl")->check({{"u", makeArray({2, 3}, std::vector<double>(6))}}, shapeOf(4, 4, 8, 16));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::bad_shape);
}

}  // namespace
}  // namespace posiscope

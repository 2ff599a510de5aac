// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Heads and rows on their own: what a head or a row does not see may be left out.
#include "core/schemes/dynamic.h"
#include "tests/core/invariants/drawn.h"
#include "tests/support/attending.h"

#include <algorithm>
#include <map>

namespace posiscope {
namespace {

Shape shapeOf(std::int64_t heads) {
  Shape shape;
  shape.seq_len = 21;
  shape.num_heads = heads;
  shape.head_dim = 6;
  shape.d_model = 12;
  return shape;
}

/// Parts of an array (or columns) for the heads that are kept: each head has `each` entries of the first dimension.
Array rowsOfHeads(const Array& array, std::int64_t each, const std::vector<std::int64_t>& heads) {
  const std::int64_t size = each * array.size() / array.shape[0];
  std::vector<double> values;
  for (const std::int64_t h : heads)
    values.insert(values.end(), array.data() + h * size, array.data() + (h + 1) * size);
  std::vector<std::int64_t> shape = array.shape;
  shape[0] = each * std::ssize(heads);
  return makeArray(std::move(shape), std::move(values));
}
Array columnsOfHeads(const Array& array, const std::vector<std::int64_t>& heads) {
  std::vector<double> values;
  for (std::int64_t r = 0; r < array.shape[0]; ++r)
    for (const std::int64_t h : heads) values.push_back(array.data()[r * array.shape[1] + h]);
  return makeArray({array.shape[0], std::ssize(heads)}, std::move(values));
}
std::vector<double> entriesOf(const std::vector<double>& list, const std::vector<std::int64_t>& heads) {
  std::vector<double> values;
  for (const std::int64_t h : heads) values.push_back(list[static_cast<std::size_t>(h)]);
  return values;
}

/// Logits of some heads of five, and of an encoding that has these heads only, on the same queries and keys.
struct TwoWays {
  std::vector<double> among, alone;
};
TwoWays twoWays(const std::string& id, const ParamValues& all, const ParamValues& some,
                const std::vector<std::int64_t>& heads) {
  const Shape five = shapeOf(5), few = shapeOf(std::ssize(heads));
  const Content<double> content = test::randomContent<double>(five);
  const std::int64_t size = five.seq_len * five.head_dim;
  Content<double> part;
  for (const std::int64_t h : heads) {
    part.q.insert(part.q.end(), content.q.begin() + h * size, content.q.begin() + (h + 1) * size);
    part.k.insert(part.k.end(), content.k.begin() + h * size, content.k.begin() + (h + 1) * size);
  }
  return {
      test::attending(test::encodingOf<double>(id, all, five), content, {}, five, {true, false, false, heads}).logits,
      test::attending(test::encodingOf<double>(id, some, few), part, {}, few, {true, false, false, {}}).logits};
}

const std::vector<std::vector<std::int64_t>> choices{{0}, {4}, {1, 3}, {0, 2, 4}, {0, 1, 2, 3, 4}};

TEST(PartInvariants, aHeadDoesNotSeeTheOthers) {
  test::Drawn drawn("heads");
  const Array buckets = drawn.array(32, 5), offsets = drawn.array(9, 5);
  const Array w1 = drawn.array(7, 1), w2 = drawn.array(5, 7), phases = drawn.array(5, 6);
  const Array w_r = drawn.array(30, 12), u = drawn.array(5, 6), v = drawn.array(5, 6);
  const std::vector<double> r1{0.3, 1, 2, 0.1, 4}, r2{0.5, 1, 1.5, 2, 0.1}, bases{100, 1e3, 1e4, 1e5, 1e6};
  const auto valuesOf = [&](const std::vector<std::int64_t>& heads) -> std::map<std::string, ParamValues> {
    return {{"t5_log", {{"table", columnsOfHeads(buckets, heads)}}},
            {"t5_simple", {{"max_distance", 4.0}, {"table", columnsOfHeads(offsets, heads)}}},
            {"kerple", {{"r1", entriesOf(r1, heads)}, {"r2", entriesOf(r2, heads)}}},
            {"fire",
             {{"width", 7.0},
              {"w1", w1},
              {"w2", rowsOfHeads(w2, 1, heads)},
              {"b2", makeArray({std::ssize(heads)}, std::vector<double>(heads.size(), 0.5))}}},
            {"rope", {{"bases", entriesOf(bases, heads)}}},
            {"pope", {{"delta", rowsOfHeads(phases, 1, heads)}}},
            {"shaw", {}},
            {"cope", {}},
            {"transformer_xl",
             {{"w_r", rowsOfHeads(w_r, 6, heads)}, {"u", rowsOfHeads(u, 1, heads)}, {"v", rowsOfHeads(v, 1, heads)}}}};
  };
  const auto all = valuesOf(choices.back());
  for (const auto& heads : choices)
    for (const auto& [id, some] : valuesOf(heads)) {
      const TwoWays found = twoWays(id, all.at(id), some, heads);
      ASSERT_EQ(found.among.size(), found.alone.size()) << id;
      for (std::size_t e = 0; e < found.alone.size(); ++e)
        ASSERT_NEAR(found.among[e], found.alone[e], 1e-12) << id << ", " << heads.size() << " heads";
    }
}

/// The same for weights in other arrangements: projections of positions, tables of three dimensions, grids of patches
/// (21 tokens are 3 × 7) and networks whose last layer alone belongs to the heads.
TEST(PartInvariants, aHeadDoesNotSeeTheWeightsOfOthers) {
  test::Drawn drawn("weights of heads");
  const Array k_r = makeArray({5, 8, 6}, drawn.normals(240)), q_r = makeArray({5, 8, 6}, drawn.normals(240));
  const Array u_q = drawn.array(30, 12), u_k = drawn.array(30, 12), relative = drawn.array(33, 5);
  const Array b_q = makeArray({30}, drawn.normals(30)), b_k = makeArray({30}, drawn.normals(30));
  const Array vectors = drawn.array(63, 6), offsets = drawn.array(5 * 13, 5), networks = drawn.array(5, 9);
  const Array logarithms = makeArray({5}, {0, 1, 2, 3, 4}), shifts = makeArray({5}, drawn.normals(5));
  const auto valuesOf = [&](const std::vector<std::int64_t>& heads) -> std::map<std::string, ParamValues> {
    return {{"deberta",
             {{"position_buckets", 0.0},
              {"max_distance", 4.0},
              {"k_r", rowsOfHeads(k_r, 1, heads)},
              {"q_r", rowsOfHeads(q_r, 1, heads)}}},
            {"tupe",
             {{"u_q", rowsOfHeads(u_q, 6, heads)},
              {"u_k", rowsOfHeads(u_k, 6, heads)},
              {"b_q", rowsOfHeads(b_q, 6, heads)},
              {"b_k", rowsOfHeads(b_k, 6, heads)},
              {"relative_table", columnsOfHeads(relative, heads)}}},
            {"relative_key", {{"max_positions", 32.0}, {"table", vectors}}},
            {"relative_key_query", {{"max_positions", 32.0}, {"table", vectors}}},
            {"swin", {{"table", columnsOfHeads(offsets, heads)}}},
            {"grid_bias", {{"table", columnsOfHeads(offsets, heads)}}},
            {"swin_v2",
             {{"hidden", 9.0},
              {"w2", rowsOfHeads(networks, 1, heads)},
              {"logit_scale", rowsOfHeads(logarithms, 1, heads)}}},
            {"dynamic_mlp_bias",
             {{"width", 9.0}, {"w_out", rowsOfHeads(networks, 1, heads)}, {"b_out", rowsOfHeads(shifts, 1, heads)}}}};
  };
  const auto all = valuesOf(choices.back());
  for (const auto& heads : choices)
    for (const auto& [id, some] : valuesOf(heads)) {
      const TwoWays found = twoWays(id, all.at(id), some, heads);
      ASSERT_EQ(found.among.size(), found.alone.size()) << id;
      for (std::size_t e = 0; e < found.alone.size(); ++e)
        ASSERT_NEAR(found.among[e], found.alone[e], 1e-12) << id << ", " << heads.size() << " heads";
    }
}

TEST(PartInvariants, slopesKnowHowManyHeadsThereAre) {
  for (const char* id : {"alibi", "sandwich"}) {
    const TwoWays found = twoWays(id, {}, {}, {0, 2});  // heads 1 and 3 of five have the slopes of two heads
    EXPECT_NE(found.among, found.alone) << id;
  }
}

Table<double> drawnRows(test::Drawn& drawn, std::int64_t rows, std::int64_t cols) {
  return {rows, cols, drawn.normals(rows * cols)};
}

/// The adjustment of x, a row for each of its tokens.
Table<double> adjustmentOf(const schemes::DynamicWeights<double>& weights, const Table<double>& x,
                           std::int64_t window) {
  return schemes::dynamicAdjustment(weights, rowsOf(schemes::dynamicWindows(rowsOf(x), window)));
}

TEST(PartInvariants, theAdjustmentScalesTheBaseByLessThanTwo) {
  test::Drawn drawn("adjustment");
  for (const std::int64_t length : {1, 2, 5, 12})
    for (const std::int64_t window : {0, 1, 2, 4}) {
      Shape shape = shapeOf(2);
      shape.seq_len = length;
      schemes::DynamicParams p;
      p.context_window = window;
      const auto weights = schemes::dynamicWeights<double>(p, shape);
      const Table<double> x = drawnRows(drawn, length, shape.d_model);
      const Table<double> adjustment = adjustmentOf(weights, x, window);
      ASSERT_EQ(adjustment.rows, length);
      for (const double a : adjustment.values) {
        ASSERT_GT(a, -1);
        ASSERT_LT(a, 1);
      }
      const auto encoding =
          test::encodingOf<double>("dynamic", {{"context_window", static_cast<double>(window)}}, shape);
      const Table<double> out = attention::applyInput(encoding.input, rowsOf(x));
      for (std::size_t e = 0; e < out.values.size(); ++e) {
        const double share = (out.values[e] - x.values[e]) / weights.base.values[e];
        ASSERT_NEAR(share, 1 + adjustment.values[e], 1e-8);
      }
    }
}

TEST(PartInvariants, theAdjustmentMovesWithTheTokensAwayFromTheEnds) {
  test::Drawn drawn("shifted");
  for (const std::int64_t window : {0, 1, 3}) {
    Shape shape = shapeOf(2);
    schemes::DynamicParams p;
    p.context_window = window;
    const auto weights = schemes::dynamicWeights<double>(p, shape);
    const Table<double> x = drawnRows(drawn, 21, shape.d_model);
    Table<double> moved = drawnRows(drawn, 21, shape.d_model);
    for (std::int64_t i = 0; i + 4 < 21; ++i) std::ranges::copy(x.row(i), moved.row(i + 4).begin());
    const Table<double> here = adjustmentOf(weights, x, window), there = adjustmentOf(weights, moved, window);
    for (std::int64_t i = window; i + 4 + window < 21; ++i)
      for (std::size_t d = 0; d < 12; ++d) ASSERT_NEAR(there.row(i + 4)[d], here.row(i)[d], 1e-14) << i;
    // At the left edge the tokens stand in other slots, unless each is looked at alone.
    const bool edge_moves = there.row(4)[0] == here.row(0)[0];
    EXPECT_EQ(edge_moves, window == 0);
  }
}

}  // namespace
}  // namespace posiscope

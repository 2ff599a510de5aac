// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/grid_bias.h"

#include "core/grid_offsets.h"
#include "tests/support/encoded.h"

#include <numeric>
#include <set>

namespace posiscope {
namespace {

using schemes::GridBiasIndex;
using schemes::GridBiasKind;
using schemes::GridBiasParams;

GridBiasIndex indexOf(GridBiasKind kind, const Grid& grid, std::int64_t stride = 1, bool class_token = false) {
  GridBiasParams p;
  p.kind = kind;
  p.stride = stride;
  p.class_token = class_token;
  return {p, grid};
}

TEST(GridBias, maxvitReadsSwinsTableFromTheOtherEnd) {
  for (const Grid grid : {Grid{1, 1}, Grid{1, 4}, Grid{3, 4}, Grid{5, 2}}) {
    const auto swin = indexOf(GridBiasKind::beit, grid);
    const auto maxvit = indexOf(GridBiasKind::maxvit, grid);
    EXPECT_EQ(swin.rows(), maxvit.rows());
    for (std::int64_t i = 0; i < grid.patches(); ++i)
      for (std::int64_t j = 0; j < grid.patches(); ++j) EXPECT_EQ(maxvit.row(i, j), swin.rows() - 1 - swin.row(i, j));
  }
}

TEST(GridBias, maxvitTakesItsOwnPicturesOfOffsets) {
  Shape shape;
  shape.seq_len = 6;
  shape.grid_height = 2;
  shape.grid_width = 3;
  shape.num_heads = 2;
  std::vector<double> by_head(2 * 3 * 5), by_row(15 * 2);
  std::iota(by_head.begin(), by_head.end(), 0.0);
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t r = 0; r < 15; ++r) by_row[r * 2 + h] = by_head[h * 15 + r];
  const auto bias = [&](std::vector<std::int64_t> sides, const std::vector<double>& numbers) {
    const ParamValues values{{"kind", std::string("maxvit")}, {"table", makeArray(std::move(sides), numbers)}};
    const Encoding<double> encoding = test::encoded("grid_bias", values, shape);
    std::vector<double> rows(6);
    std::get<PairBias<double>>(encoding.logits.bias).fill(1, 4, rows);
    return rows;
  };
  const std::vector<double> pictures = bias({2, 3, 5}, by_head);
  EXPECT_EQ(pictures, bias({15, 2}, by_row));
  // Key (0, 1) of query (1, 1): row 0 − 1 + h − 1 = 0, column 1 − 1 + w − 1 = 2 of head 1.
  EXPECT_EQ(pictures[1], 15 + 0 * 5 + 2);
  EXPECT_NE(
      test::refusal("grid_bias", {{"kind", std::string("beit")}, {"table", makeArray({2, 3, 5}, by_head)}}, shape),
      "accepted");
}

TEST(GridBias, theClassTokenHasThreeRowsOfItsOwn) {
  const auto index = indexOf(GridBiasKind::beit, {3, 4}, 1, true);
  EXPECT_EQ(index.rows(), 35 + 3);
  EXPECT_EQ(index.keys(), 13);
  EXPECT_EQ(index.row(0, 0), 37);
  EXPECT_EQ(index.row(0, 5), 35);
  EXPECT_EQ(index.row(5, 0), 36);
  EXPECT_EQ(index.row(1, 12), offsetRow({3, 4}, 0, 11));
}

TEST(GridBias, levitDoesNotKnowDirections) {
  const auto index = indexOf(GridBiasKind::levit, {3, 4});
  std::set<std::int64_t> rows;
  for (std::int64_t i = 0; i < 12; ++i)
    for (std::int64_t j = 0; j < 12; ++j) {
      EXPECT_EQ(index.row(i, j), index.row(j, i));
      rows.insert(index.row(i, j));
    }
  EXPECT_EQ(rows.size(), 12U);
  const auto fewer = indexOf(GridBiasKind::levit, {4, 5}, 2);
  EXPECT_EQ(fewer.queries(), 6);
  EXPECT_EQ(fewer.row(4, 0), 2 * 5 + 2);  // query (2, 2) of the keys' grid
}

TEST(GridBias, aStrideNeedsItsOwnNumberOfQueries) {
  Shape shape;
  shape.seq_len = 20;
  shape.grid_height = 4;
  shape.grid_width = 5;
  const ParamValues values{{"kind", std::string("levit")}, {"stride", 2.0}};
  EXPECT_EQ(test::refusal("grid_bias", values, shape), "grid_bias: seq_len_q must be the 6 tokens that ask, got 20");
  shape.seq_len_q = 6;
  EXPECT_EQ(test::refusal("grid_bias", values, shape), "accepted");
}

TEST(GridBias, aTableOfAnotherGridIsResized) {
  Shape shape;
  shape.seq_len = 26;
  shape.grid_height = 5;
  shape.grid_width = 5;
  shape.num_heads = 1;
  // A constant picture stays constant, and the class rows are kept.
  std::vector<double> numbers(25 + 3, 0.75);
  numbers[25] = 1;
  numbers[26] = 2;
  numbers[27] = 3;
  const ParamValues values{
      {"class_token", true}, {"source_height", 3.0}, {"source_width", 3.0}, {"table", makeArray({28, 1}, numbers)}};
  const Encoding<double> encoding = test::encoded("grid_bias", values, shape);
  std::vector<double> row(26);
  std::get<PairBias<double>>(encoding.logits.bias).fill(0, 0, row);
  EXPECT_EQ(row[0], 3);
  EXPECT_EQ(row[9], 1);
  std::get<PairBias<double>>(encoding.logits.bias).fill(0, 7, row);
  EXPECT_EQ(row[0], 2);
  for (std::size_t j = 1; j < 26; ++j) EXPECT_NEAR(row[j], 0.75, 1e-15);
}

TEST(GridBias, levitsDistancesAreResizedWithAntialiasing) {
  Shape shape;
  shape.seq_len = 4;
  shape.grid_height = 1;
  shape.grid_width = 4;
  shape.num_heads = 1;
  ParamValues values{{"kind", std::string("levit")},
                     {"source_height", 1.0},
                     {"source_width", 2.0},
                     {"table", makeArray({2, 1}, std::vector<double>{0, 1})}};
  const auto distances = [&] {
    const Encoding<double> encoding = test::encoded("grid_bias", values, shape);
    std::vector<double> row(4);
    std::get<PairBias<double>>(encoding.logits.bias).fill(0, 0, row);
    return row;
  };
  // The new distances lie at −1/4, 1/4, 3/4 and 5/4 of the old ones; these are the kernel (a = −0.5) at 1/4, 5/4, 3/4.
  const double near = 0.8671875, far = -0.0703125, inside = 0.2265625;
  const std::vector<double> row = distances();
  EXPECT_NEAR(row[0], far / (near + far), 1e-14);
  EXPECT_NEAR(row[1], inside / (near + inside), 1e-14);
  EXPECT_NEAR(row[2], 1 - row[1], 1e-14);
  EXPECT_NEAR(row[3], 1 - row[0], 1e-14);
  values["table"] = makeArray({2, 1}, std::vector<double>{0.75, 0.75});
  for (const double v : distances()) EXPECT_NEAR(v, 0.75, 1e-14);
}

TEST(GridOffsets, resizingToTheSameSizeChangesNothing) {
  Table<double> table = makeTable<double>(5 * 7 + 3, 2);
  std::iota(table.values.begin(), table.values.end(), 0.0);
  const Table<double> same = resizedOffsets(table, 5, 7, 5, 7);
  for (std::size_t e = 0; e < table.values.size(); ++e) EXPECT_NEAR(same.values[e], table.values[e], 1e-12);
  EXPECT_EQ(resizedRows(table, 38).values, table.values);
}

TEST(GridOffsets, linearResizingHasHalfPixelCentresAndClampedEnds) {
  const Table<double> table{2, 1, {0, 1}};
  const Table<double> four = resizedRows(table, 4);
  EXPECT_EQ(four.values, (std::vector<double>{0, 0.25, 0.75, 1}));
  EXPECT_EQ(resizedRows(four, 2).values, (std::vector<double>{0.125, 0.875}));
  EXPECT_EQ(resizedRows({1, 1, {3}}, 3).values, (std::vector<double>{3, 3, 3}));
}

}  // namespace
}  // namespace posiscope

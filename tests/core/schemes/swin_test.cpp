// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/swin.h"

#include "core/grid_offsets.h"
#include "tests/support/encoded.h"

#include <cmath>
#include <numeric>
#include <set>

namespace posiscope {
namespace {

using schemes::SwinParams;
using schemes::SwinWindows;

Shape shapeOf(std::int64_t height, std::int64_t width) {
  Shape shape;
  shape.seq_len = height * width;
  shape.grid_height = height;
  shape.grid_width = width;
  shape.num_heads = 2;
  return shape;
}

/// Row i of a bias whose table holds its own row numbers.
std::vector<double> rowOf(ParamValues values, const Shape& shape, const Grid& window, std::int64_t i) {
  std::vector<double> numbers;
  for (std::int64_t r = 0; r < offsetRows(window); ++r) numbers.insert(numbers.end(), 2, static_cast<double>(r));
  values["table"] = makeArray({offsetRows(window), 2}, numbers);
  const Encoding<double> encoding = test::encoded("swin", values, shape);
  std::vector<double> row(static_cast<std::size_t>(shape.keys()));
  std::get<PairBias<double>>(encoding.logits.bias).fill(1, i, row);
  return row;
}

TEST(Swin, everyOffsetOfARectangleHasARowAndTheMirrorIsTheOtherEnd) {
  for (const Grid grid : {Grid{1, 1}, Grid{1, 5}, Grid{5, 1}, Grid{2, 3}, Grid{3, 2}, Grid{7, 7}}) {
    const std::int64_t last = offsetRows(grid) - 1;
    std::set<std::int64_t> rows;
    for (std::int64_t i = 0; i < grid.patches(); ++i) {
      EXPECT_EQ(offsetRow(grid, i, i), last / 2);
      for (std::int64_t j = 0; j < grid.patches(); ++j) {
        rows.insert(offsetRow(grid, i, j));
        EXPECT_EQ(offsetRow(grid, j, i), last - offsetRow(grid, i, j));
      }
    }
    EXPECT_EQ(static_cast<std::int64_t>(rows.size()), last + 1);
    EXPECT_EQ(offsetRow(grid, 0, grid.patches() - 1), 0);
    EXPECT_EQ(offsetRow(grid, grid.patches() - 1, 0), last);
  }
}

TEST(Swin, theWholeGridIsOneWindowUnlessToldOtherwise) {
  const auto row = rowOf({}, shapeOf(2, 3), {2, 3}, 4);
  for (std::int64_t j = 0; j < 6; ++j)
    EXPECT_EQ(row[static_cast<std::size_t>(j)], static_cast<double>(offsetRow({2, 3}, 4, j)));
}

TEST(Swin, patchesOfDifferentWindowsDoNotMeet) {
  const auto row = rowOf({{"window", 2.0}}, shapeOf(4, 6), {2, 2}, 7);  // y 1, x 1: the first window
  for (std::int64_t j = 0; j < 24; ++j) {
    const bool meets = j / 6 < 2 && j % 6 < 2;
    const auto inside = static_cast<double>(offsetRow({2, 2}, 3, j / 6 * 2 + j % 6));
    EXPECT_EQ(row[static_cast<std::size_t>(j)], meets ? inside : -100) << j;
  }
}

TEST(Swin, shiftedWindowsMaskWhatTheRollBroughtTogether) {
  // Rolled by one, the last window of a 4 × 4 grid holds rows 3 and 0 and columns 3 and 0.
  const auto row = rowOf({{"window", 2.0}, {"shift", 1.0}}, shapeOf(4, 4), {2, 2}, 15);
  EXPECT_EQ(row[15], 4);          // itself, the middle row of nine
  EXPECT_EQ(row[12], 3 - 100.0);  // the same window, but from the other side of the grid
  EXPECT_EQ(row[3], 1 - 100.0);
  EXPECT_EQ(row[10], -100);  // a neighbour that went to another window
  const auto inner = rowOf({{"window", 2.0}, {"shift", 1.0}}, shapeOf(4, 4), {2, 2}, 5);
  EXPECT_EQ(inner[10], 0);  // (1, 1) and (2, 2) share a window now, and were neighbours
}

TEST(Swin, aGridNotAboveTheWindowIsOneRowOfWindowsThatDoNotMove) {
  SwinParams p;
  p.window = 8;
  p.shift = 3;
  const auto windows = SwinWindows::cut({4, 8}, p);
  ASSERT_TRUE(windows);
  EXPECT_EQ(windows->window(), (Grid{4, 4}));
  EXPECT_EQ(windows->count(), 2);
  for (std::int64_t a = 0; a < 16; ++a) EXPECT_EQ(windows->regionOf({1, a}), windows->regionOf({1, 0}));
}

TEST(Swin, refusesGridsThatDoNotFit) {
  EXPECT_EQ(test::refusal("swin", {{"window", 3.0}}, shapeOf(6, 8)),
            "swin: window must divide both sides of the grid 6 × 8, got 3");
  EXPECT_EQ(test::refusal("swin", {{"window", 2.0}, {"shift", 2.0}}, shapeOf(4, 4)),
            "swin: shift must be below window 2, got 2");
  Shape cached = shapeOf(4, 4);
  cached.seq_len_q = 3;
  EXPECT_EQ(test::refusal("swin", {}, cached), "swin: every patch is a query, seq_len_q must be seq_len 16, got 3");
  Shape wrong = shapeOf(4, 4);
  wrong.seq_len = 15;
  EXPECT_NE(test::refusal("swin", {}, wrong).find("4 × 4, got 15"), std::string::npos);
}

}  // namespace
}  // namespace posiscope

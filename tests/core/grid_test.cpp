// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/grid.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

Shape shapeOf(std::int64_t length, std::int64_t height = 0, std::int64_t width = 0) {
  Shape shape;
  shape.seq_len = length;
  shape.grid_height = height;
  shape.grid_width = width;
  return shape;
}

TEST(Grid, withoutSidesIsTheMostSquareOne) {
  for (const auto& [patches, wanted] : std::vector<std::pair<std::int64_t, Grid>>{
           {1, {1, 1}}, {2, {1, 2}}, {7, {1, 7}}, {12, {3, 4}}, {49, {7, 7}}, {512, {16, 32}}, {1 << 24, {4096, 4096}}})
    EXPECT_EQ(gridOf("test", shapeOf(patches)).value(), wanted) << patches;
}

TEST(Grid, aMissingSideFollowsFromTheOther) {
  EXPECT_EQ(gridOf("test", shapeOf(15, 3)).value(), (Grid{3, 5}));
  EXPECT_EQ(gridOf("test", shapeOf(15, 0, 3)).value(), (Grid{5, 3}));
  EXPECT_EQ(gridOf("test", shapeOf(15, 5, 3)).value(), (Grid{5, 3}));
}

TEST(Grid, tokensBeforeThePatchesAreNoPatches) {
  EXPECT_EQ(gridOf("test", shapeOf(17), 1).value(), (Grid{4, 4}));
  EXPECT_EQ(gridOf("test", shapeOf(17, 2, 8), 1).value(), (Grid{2, 8}));
}

TEST(Grid, aSequenceOfAnotherLengthIsRefused) {
  const auto refusal = [](const Shape& shape, std::int64_t prefix) {
    const Expected<Grid> grid = gridOf("test", shape, prefix);
    if (grid) return std::string("accepted");
    EXPECT_EQ(grid.error().code, ErrorCode::bad_shape);
    EXPECT_FALSE(grid.error().message.zh.empty());
    return grid.error().message.en;
  };
  EXPECT_EQ(refusal(shapeOf(16, 3, 5), 0), "test: seq_len must be grid_height × grid_width = 3 × 5, got 16");
  EXPECT_EQ(refusal(shapeOf(15, 3, 5), 1),
            "test: seq_len must be prefix tokens + grid_height × grid_width = 1 + 3 × 5, got 15");
  EXPECT_EQ(refusal(shapeOf(16, 3), 0), "test: seq_len must be grid_height × grid_width = 3 × ?, got 16");
  EXPECT_EQ(refusal(shapeOf(1), 1), "test: seq_len must hold 1 prefix tokens and a patch, got 1");
}

TEST(Grid, tokensRunAlongTheRows) {
  const Grid grid{3, 5};
  EXPECT_EQ(grid.patches(), 15);
  EXPECT_EQ(grid.row(7), 1);
  EXPECT_EQ(grid.column(7), 2);
}

}  // namespace
}  // namespace posiscope

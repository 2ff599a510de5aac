// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask.h"

#include "core/schemes/swin.h"

#include <gtest/gtest.h>
#include <array>
#include <vector>

namespace posiscope {
namespace {

Shape shapeOf(std::int64_t keys, std::int64_t queries = 0) {
  Shape shape;
  shape.seq_len = keys;
  shape.seq_len_q = queries;
  return shape;
}

Mask rules(bool causal, std::int64_t window = -1, std::int64_t prefix = 0) {
  Mask mask;
  mask.causal = causal;
  mask.window = window;
  mask.prefix = prefix;
  return mask;
}

std::string rowOf(const Mask& mask, const Shape& shape, std::int64_t i) {
  std::string row;
  for (std::int64_t j = 0; j < shape.keys(); ++j) row += mask.allows(shape, i, j) ? '1' : '.';
  return row;
}

TEST(Mask, causalSeesItselfAndThePast) {
  const Mask mask = rules(true);
  EXPECT_EQ(rowOf(mask, shapeOf(4), 0), "1...");
  EXPECT_EQ(rowOf(mask, shapeOf(4), 2), "111.");
}

TEST(Mask, fewerQueriesAreTheLastPositions) {
  const Mask mask = rules(true);
  EXPECT_EQ(rowOf(mask, shapeOf(5, 2), 0), "1111.");
  EXPECT_EQ(rowOf(mask, shapeOf(5, 2), 1), "11111");
}

TEST(Mask, windowCountsBothSidesAndIncludesItsEnd) {
  EXPECT_EQ(rowOf(rules(false, 1), shapeOf(6), 3), "..111.");
  EXPECT_EQ(rowOf(rules(true, 1), shapeOf(6), 3), "..11..");
  EXPECT_EQ(rowOf(rules(false, 0), shapeOf(3), 1), ".1.");
}

TEST(Mask, prefixIsVisibleToAll) {
  EXPECT_EQ(rowOf(rules(true, -1, 2), shapeOf(4), 0), "11..");
  EXPECT_EQ(rowOf(rules(true, 0, 2), shapeOf(6), 4), "11..1.");
}

TEST(Mask, chunksAreNotAWindow) {
  Mask mask = rules(true);
  mask.chunk = 3;
  EXPECT_EQ(rowOf(mask, shapeOf(7), 2), "111....");
  EXPECT_EQ(rowOf(mask, shapeOf(7), 3), "...1...");  // the first of a chunk sees only itself
  EXPECT_EQ(rowOf(mask, shapeOf(7, 2), 0), "...111.");
  mask.causal = false;
  EXPECT_EQ(rowOf(mask, shapeOf(7), 6), "......1");
  EXPECT_EQ(rowOf(mask, shapeOf(7), 4), "...111.");
  mask.chunk = -1;
  EXPECT_EQ(checkMask(mask, shapeOf(7)).error().message.en, "mask: chunk must be 0 to 16777216, got -1");
}

TEST(Mask, paddingAndBlocksHide) {
  Mask mask;
  mask.key_padding = {0, 1, 1};
  mask.query_padding = {0, 1, 1};
  EXPECT_EQ(rowOf(mask, shapeOf(3), 0), "...");
  EXPECT_EQ(rowOf(mask, shapeOf(3), 1), ".11");
  mask.blocked = {0, 0, 0, 0, 0, 1, 0, 0, 0};
  EXPECT_EQ(rowOf(mask, shapeOf(3), 1), ".1.");
}

Mask windows(std::int64_t side, std::int64_t shift) {
  Mask mask;
  mask.side = side;
  mask.shift = shift;
  return mask;
}

TEST(Mask, shiftedWindowsOfALineMoveTheirCuts) {
  EXPECT_EQ(rowOf(windows(3, 0), shapeOf(9), 4), "...111...");
  EXPECT_EQ(rowOf(windows(3, 1), shapeOf(9), 4), "....111..");
  EXPECT_EQ(rowOf(windows(3, 1), shapeOf(9), 0), "1........");  // not with the two that are left at the other end
  EXPECT_EQ(rowOf(windows(3, 1), shapeOf(9, 2), 1), ".......11");
  EXPECT_EQ(rowOf(windows(9, 4), shapeOf(9), 4), "111111111");
}

TEST(Mask, shiftedWindowsOfAGridAreThoseOfSwin) {
  for (const auto& [height, width, side, shift] : std::vector<std::array<std::int64_t, 4>>{
           {6, 9, 3, 0}, {6, 9, 3, 1}, {6, 9, 3, 2}, {8, 8, 4, 2}, {4, 8, 4, 2}, {4, 8, 7, 3}, {6, 6, 6, 3}}) {
    schemes::SwinParams params;
    params.window = side;
    params.shift = shift;
    const auto official = schemes::SwinWindows::cut({height, width}, params);
    ASSERT_TRUE(official);
    Shape shape = shapeOf(height * width);
    shape.grid_height = height;
    shape.grid_width = width;
    const Mask mask = windows(side, shift);
    for (std::int64_t i = 0; i < shape.keys(); ++i)
      for (std::int64_t j = 0; j < shape.keys(); ++j) {
        const auto a = official->placeOf(i), b = official->placeOf(j);
        const bool meet = a.window == b.window && official->regionOf(a) == official->regionOf(b);
        EXPECT_EQ(mask.allows(shape, i, j), meet)
            << height << "x" << width << " " << side << "+" << shift << ": " << i << " " << j;
      }
  }
}

TEST(Mask, shiftedWindowsNeedBothSidesOfAGridOrNone) {
  Shape shape = shapeOf(12);
  EXPECT_TRUE(checkMask(windows(2, 1), shape));
  shape.grid_width = 4;
  EXPECT_EQ(checkMask(windows(2, 1), shape).error().message.en,
            "mask: shifted windows need a grid with both sides and room for the keys, or no grid; got 0 × 4 and 12 "
            "keys");
  shape.grid_height = 3;
  EXPECT_TRUE(checkMask(windows(2, 1), shape));
  shape.grid_height = 2;
  EXPECT_FALSE(checkMask(windows(2, 1), shape));
  EXPECT_TRUE(checkMask(Mask{}, shape));
}

TEST(Mask, countedPaddingStandsAtOneEnd) {
  Mask mask = rules(true);
  mask.padding = Mask::Padding::end;
  mask.padded_keys = 2;
  EXPECT_EQ(rowOf(mask, shapeOf(5), 4), "111..");
  mask.padded_queries = 1;
  EXPECT_EQ(rowOf(mask, shapeOf(5), 4), ".....");
  EXPECT_EQ(rowOf(mask, shapeOf(5), 3), "111..");
  EXPECT_EQ(rowOf(mask, shapeOf(5, 2), 0), "111..");  // position 3
  EXPECT_EQ(rowOf(mask, shapeOf(5, 2), 1), ".....");
  mask.padding = Mask::Padding::start;
  EXPECT_EQ(rowOf(mask, shapeOf(5), 4), "..111");
  EXPECT_EQ(rowOf(mask, shapeOf(5), 0), ".....");
  EXPECT_EQ(rowOf(mask, shapeOf(5), 1), ".....");  // sees nothing yet: only what is left of it and padding
  mask.prefix = 1;
  EXPECT_EQ(rowOf(mask, shapeOf(5), 3), "..11.");  // padding is hidden from all
  mask.padding = Mask::Padding::none;
  EXPECT_EQ(rowOf(mask, shapeOf(5), 0), "1....");
}

TEST(Mask, spanHoldsExactlyTheAllowedKeysWhereThereAreNoHoles) {
  for (const bool causal : {false, true})
    for (const std::int64_t window : {-1, 0, 2})
      for (const std::int64_t prefix : {0, 3, 9})
        for (const auto& [queries, chunk, padded] : std::vector<std::array<std::int64_t, 3>>{
                 {0, 0, 0}, {1, 0, 0}, {4, 0, 0}, {0, 3, 0}, {4, 2, 0}, {0, 0, 2}, {4, 0, 3}, {0, 3, 8}}) {
          const Shape shape = shapeOf(7, queries);
          Mask mask = rules(causal, window, prefix);
          mask.chunk = chunk;
          mask.padded_keys = padded;
          mask.padded_queries = padded / 2;
          mask.padding = queries == 0 ? Mask::Padding::start : Mask::Padding::end;
          for (std::int64_t i = 0; i < shape.queries(); ++i) {
            const Mask::Span span = mask.span(shape, i);
            for (std::int64_t j = 0; j < shape.keys(); ++j) {
              const bool inside = j >= span.begin && j < span.end;
              if (mask.allows(shape, i, j)) {
                EXPECT_TRUE(inside) << i << " " << j;
              }
              if (inside && !mask.hasHoles()) {
                EXPECT_TRUE(mask.allows(shape, i, j)) << i << " " << j;
              }
            }
          }
        }
}

TEST(Mask, rulesSetByHandAreTheMaskItself) {
  for (const bool causal : {false, true})
    for (const std::int64_t window : {-1, 0, 7})
      for (const std::int64_t prefix : {0, 3}) {
        const Mask mask{causal, window, prefix, {1, 0}, {}, {}};
        const auto read = maskTable().read("mask", maskTable().values(rulesOf(mask)));
        ASSERT_TRUE(read);
        EXPECT_EQ(withRules(Mask{false, 5, 9, {1, 0}, {}, {}}, *read), mask) << causal << window << prefix;
      }
}

TEST(Mask, shiftedWindowsAndPaddingAreRulesSetByHand) {
  Mask mask = windows(7, 3);
  mask.prefix = 2;
  mask.padded_keys = 4;
  mask.padded_queries = 5;
  mask.padding = Mask::Padding::start;
  const auto read = maskTable().read("mask", maskTable().values(rulesOf(mask)));
  ASSERT_TRUE(read);
  EXPECT_EQ(withRules(rules(true, 5), *read), mask);
  EXPECT_EQ(withRules(mask, {}), Mask{});
}

TEST(Mask, limitsOfTheTableHoldForEveryMask) {
  Mask mask;
  mask.window = (1 << 24) + 1;
  EXPECT_EQ(checkMask(mask, shapeOf(4)).error().code, ErrorCode::out_of_range);
  mask = {};
  mask.prefix = -1;
  EXPECT_EQ(checkMask(mask, shapeOf(4)).error().message.en, "mask: prefix must be 0 to 16777216, got -1");
}

TEST(Mask, sizesAreChecked) {
  Mask mask;
  EXPECT_TRUE(checkMask(mask, shapeOf(4)));
  mask.key_padding = {1, 1};
  EXPECT_EQ(checkMask(mask, shapeOf(4)).error().message.en, "mask: key_padding must have 4 entries, got 2");
  mask.key_padding = {1, 1, 1, 1};
  mask.blocked.assign(4, 0);
  EXPECT_EQ(checkMask(mask, shapeOf(4)).error().code, ErrorCode::bad_shape);
  mask.blocked.assign(8, 0);
  EXPECT_TRUE(checkMask(mask, shapeOf(4, 2)));
  mask.query_padding = {1};
  EXPECT_FALSE(checkMask(mask, shapeOf(4, 2)));
}

}  // namespace
}  // namespace posiscope

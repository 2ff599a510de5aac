// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/agreement.h"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace posiscope {
namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();

std::shared_ptr<const Field> field(std::int64_t rows, std::vector<float> values) {
  const std::int64_t cols = static_cast<std::int64_t>(values.size()) / rows;
  return storedField(rows, cols, std::move(values));
}

TEST(Agreement, namesTheFirstColumnAndTheLargestDifference) {
  const auto found = agreement(*field(2, {1, 2, 3, 4, 5, 6}), *field(2, {1, 2, 3.5, 4, 3, 6}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first_column, 1);
  EXPECT_EQ(found->largest, 2);
  EXPECT_EQ(found->row, 1);
  EXPECT_EQ(found->col, 1);
  EXPECT_FALSE(found->reordered);
}

TEST(Agreement, countsWhatIsLargeBesideTheLargestNumber) {
  EXPECT_EQ(agreement(*field(1, {1000, 1}), *field(1, {1000, 1.005F}))->first_column, -1);
  EXPECT_EQ(agreement(*field(1, {0.001F, 0.002F}), *field(1, {0.001F, 0.00201F}))->first_column, 1);
  EXPECT_EQ(agreement(*field(1, {0, 0}), *field(1, {0, 0}))->first_column, -1);
}

TEST(Agreement, cellsWithoutANumberAgreeWithThemselvesOnly) {
  EXPECT_EQ(agreement(*field(1, {nan_value, infinite, 1}), *field(1, {nan_value, infinite, 1}))->first_column, -1);
  EXPECT_EQ(agreement(*field(1, {1, nan_value}), *field(1, {1, 2}))->first_column, 1);
  EXPECT_EQ(agreement(*field(1, {1, infinite}), *field(1, {1, -infinite}))->first_column, 1);
}

TEST(Agreement, knowsTheTwoOrdersOfPairs) {
  const auto adjacent = field(1, {1, 2, 3, 4, 5, 6});
  const auto half = field(1, {1, 3, 5, 2, 4, 6});
  EXPECT_TRUE(agreement(*adjacent, *half)->reordered);
  EXPECT_TRUE(agreement(*half, *adjacent)->reordered);
  EXPECT_FALSE(agreement(*half, *half)->reordered);
  EXPECT_FALSE(agreement(*field(1, {1, 2, 3}), *field(1, {1, 3, 2}))->reordered) << "an odd width has no pairs";
}

TEST(Agreement, comparesOnlyStoredMapsOfOneShape) {
  const auto two = field(1, {1, 2});
  EXPECT_FALSE(agreement(*two, *field(2, {1, 2})));
  EXPECT_FALSE(agreement(*two, *computedField(1, 2, [](std::int64_t, std::int64_t) { return 1.0F; })));
}

}  // namespace
}  // namespace posiscope

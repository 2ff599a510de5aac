// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/compare.h"

#include <gtest/gtest.h>
#include <limits>

namespace posiscope::verify {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Comparison one(double found, double reference, Tolerance t, bool exact = false) {
  return compareArrays(makeArray({1}, {found}), makeArray({1}, {reference}), t, exact);
}

TEST(Compare, InfinitiesAreEqualOnlyToThemselves) {
  EXPECT_TRUE(one(-infinity, -infinity, {0.1, 0.1}).equal);
  EXPECT_FALSE(one(infinity, -infinity, {0.1, 0.1}).equal);
  EXPECT_FALSE(one(1, infinity, {0.1, 0.1}).equal);
  EXPECT_FALSE(one(infinity, 1, {infinity, infinity}).equal);
}

TEST(Compare, NanIsNeverRight) {
  EXPECT_FALSE(one(nan, 1, {1, 1}).equal);
  EXPECT_FALSE(one(1, nan, {1, 1}).equal);
  EXPECT_FALSE(one(nan, nan, {1, 1}, true).equal);
}

TEST(Compare, ToleranceIsAbsolutePlusRelative) {
  EXPECT_TRUE(one(110.5, 100, {0.1, 0.5}).equal);
  EXPECT_FALSE(one(110.6, 100, {0.1, 0.5}).equal);
  EXPECT_FALSE(one(110.5, 100, {0.1, 0.5}, true).equal);
}

TEST(Compare, TheWorstFailingElementIsReported) {
  // The first is farther away but within its own, relative tolerance.
  const Comparison c = compareArrays(makeArray({2}, {1010, 2}), makeArray({2}, {1000, 1}), {0.1, 0}, false);
  EXPECT_FALSE(c.equal);
  EXPECT_DOUBLE_EQ(c.error, 1);
  EXPECT_DOUBLE_EQ(c.tolerance, 0.1);
}

TEST(Compare, ScalarsAreRelativeAboveOne) {
  EXPECT_TRUE(compareScalars({{"a", 1e6 + 5e-4}}, {{"a", 1e6}}).equal);
  EXPECT_FALSE(compareScalars({{"a", 1e6 + 5e-3}}, {{"a", 1e6}}).equal);
  EXPECT_FALSE(compareScalars({{"a", 1e-3 + 2e-9}}, {{"a", 1e-3}}).equal);
}

}  // namespace
}  // namespace posiscope::verify

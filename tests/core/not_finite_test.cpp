// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/not_finite.h"

#include "tests/support/answer_of.h"

#include <gtest/gtest.h>
#include <limits>

namespace posiscope {
namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(NotFinite, countsBesideFiniteValuesToo) {
  const auto found = notFinite(*storedField(2, 2, {nan_value, nan_value, infinity, -infinity}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->nans, 2);
  EXPECT_EQ(found->infinities, 2);
  EXPECT_FALSE(found->some_finite);
  const auto beside = notFinite(*storedField(2, 2, {nan_value, infinity, 0, nan_value}));
  ASSERT_TRUE(beside);
  EXPECT_TRUE(beside->some_finite);
  EXPECT_EQ(beside->nans, 2);
  EXPECT_EQ(beside->infinities, 1);
}

TEST(NotFinite, maskedZerosDoNotCount) {
  const auto ahead = [](std::int64_t row, std::int64_t col) { return col > row; };
  const auto zeros_ahead = notFinite(*storedField(2, 2, {nan_value, 0, nan_value, nan_value}), ahead);
  ASSERT_TRUE(zeros_ahead);
  EXPECT_FALSE(zeros_ahead->some_finite);
  EXPECT_EQ(zeros_ahead->nans, 3);
  const auto none_ahead = notFinite(*storedField(2, 2, {1, -infinity, 1, 1}), ahead);
  ASSERT_TRUE(none_ahead);
  EXPECT_TRUE(none_ahead->some_finite);
  EXPECT_EQ(none_ahead->infinities, 1) << "logits are drawn as they are";
}

TEST(NotFinite, aFieldOfTooManyCellsIsNotLookedAt) {
  EXPECT_FALSE(notFinite(*computedField(1 << 13, 1 << 13, [](std::int64_t, std::int64_t) { return 1.0F; })));
}

TEST(NotFinite, relativeDecayOfSuchATableSaysWhyItIsEmpty) {
  Question q = test::questionOf("relative_decay", "learned", {}, 4);
  q.shape.d_model = 2;
  const auto decayOf = [&q](double value) {
    q.scheme.values = {{"initial", std::string("file")}, {"table", makeArray({4, 2}, std::vector<double>(8, value))}};
    return test::answerOf(q);
  };
  const Dataset none = decayOf(std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(none.curves.empty());
  EXPECT_NE(none.nothing.en.find("NaN"), std::string::npos) << none.nothing.en;
  const Dataset some = decayOf(1);
  EXPECT_FALSE(some.curves.empty());
  EXPECT_EQ(some.nothing.en, "");
}

}  // namespace
}  // namespace posiscope

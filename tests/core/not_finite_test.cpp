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

TEST(NotFinite, countsOnlyWhereNothingIsFinite) {
  const auto found = notFinite(*storedField(2, 2, {nan_value, nan_value, infinity, -infinity}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->nans, 2);
  EXPECT_EQ(found->infinities, 2);
  EXPECT_FALSE(notFinite(*storedField(2, 2, {nan_value, nan_value, 0, nan_value})));
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

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/axes.h"
#include "ui/paint/axes.h"

#include <gtest/gtest.h>

#include <memory>

namespace posiscope::ui {
namespace {

AxisScale named(Axis& axis, std::vector<std::string> words) {
  axis.names = std::make_shared<const std::vector<std::string>>(std::move(words));
  AxisScale scale;
  scale.low = -0.5;
  scale.high = 2.5;
  scale.ticks = {0, 1, 2};
  nameTicks(scale, axis, 3, 300, {});
  return scale;
}

TEST(AxisNames, StandAtTheTokensOfAttention) {
  Axis axis = measures::queryAxis({});
  axis.first = 0;
  const AxisScale scale = named(axis, {"the", "cat", "7"});
  EXPECT_EQ(scale.names.size(), 3U);
  EXPECT_EQ(axisTitle(axis, scale, Style{}), QStringLiteral("query i"));
}

TEST(AxisNames, ThatAreNumbersAreSaidToBeIds) {
  Axis axis = measures::keyAxis({});
  axis.first = 0;
  const AxisScale scale = named(axis, {"0", "0", "403"});
  EXPECT_EQ(axisTitle(axis, scale, Style{}), QStringLiteral("key j (token ids)"));
}

TEST(AxisNames, LeaveThePositionsOfATableTheirNumbers) {
  Axis axis = measures::positionAxis({});
  axis.first = 0;
  const AxisScale scale = named(axis, {"0", "0", "2"});
  EXPECT_TRUE(scale.names.empty());
  EXPECT_EQ(scale.ticks, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(nameAt(axis, 2), QStringLiteral("2")) << "under the pointer";
}

}  // namespace
}  // namespace posiscope::ui

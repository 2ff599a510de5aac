// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/axes.h"
#include "tests/ui/synthetic.h"
#include "ui/paint/axes.h"
#include "ui/views/map_layout.h"

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

TEST(AxisNames, ShowControlCharactersOnOneLine) {
  EXPECT_EQ(shownName("a\tb"), QStringLiteral("a⇥b"));
  EXPECT_EQ(shownName("\n"), QStringLiteral("↵"));
  EXPECT_EQ(shownName("a\rb\xE2\x80\xA8"), QStringLiteral("a b "));
  EXPECT_EQ(shownName("<s>"), QStringLiteral("<s>"));
  Axis axis = measures::queryAxis({});
  axis.first = 0;
  EXPECT_EQ(named(axis, {"the", "a\tb", "7"}).names[1], QStringLiteral("a⇥b"));
  EXPECT_EQ(nameAt(axis, 1), QStringLiteral("a⇥b"));
}

TEST(AxisNumbers, StandAtBothEndsOfSmallMaps) {
  const auto layout = [](std::int64_t rows, QSizeF size) {
    std::vector<Dataset> datasets(
        4, oneMap(rows, 64, std::vector<float>(static_cast<std::size_t>(rows * 64)), MapKind::sequential));
    const MapScene scene = makeMapScene(contextOf("similarity", std::move(datasets)), {});
    return layoutMaps(scene, QRectF(QPointF(), size), 1, false).panels;
  };
  const std::vector<PanelPlace> tile = layout(64, {430, 380});
  ASSERT_EQ(tile.size(), 4U);
  for (const std::vector<double>& ticks : {tile.front().rows.ticks, tile.back().cols.ticks}) {
    ASSERT_GE(ticks.size(), 2U);
    EXPECT_EQ(ticks.front(), 0);
    EXPECT_EQ(ticks.back(), 63);
  }
  EXPECT_GE(layout(20000, {430, 380}).front().rows.ticks.size(), 2U) << "one number is no scale";
  const std::vector<PanelPlace> tiny = layout(64, {180, 110});
  EXPECT_LT(tiny.front().plot.height(), 48);
  EXPECT_TRUE(tiny.front().rows.ticks.empty());
}

}  // namespace
}  // namespace posiscope::ui

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/colour_bar.h"
#include "ui/paint/colour_map.h"
#include "ui/paint/value_scale.h"

#include <gtest/gtest.h>

#include <QBuffer>
#include <QColor>
#include <QPainter>
#include <QRegularExpression>
#include <QStringList>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace posiscope::ui {
namespace {

/// CIE lightness, 0 to 100.
double lightness(QRgb colour) {
  const QColor c(colour);
  const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  const double y = 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
  return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

TEST(ColourMap, SequentialMapsOnlyGetLighter) {
  for (const ColourMap& map : colourMaps()) {
    if (map.kind != MapKind::sequential) continue;
    for (int n = 1; n <= 64; ++n)
      EXPECT_GT(lightness(map.at(n / 64.0)), lightness(map.at((n - 1) / 64.0))) << map.key << " at " << n;
  }
}

TEST(ColourMap, DivergingMapsAreLightestInTheMiddleAndEquallyDarkAtBothEnds) {
  for (const ColourMap& map : colourMaps()) {
    if (map.kind != MapKind::diverging) continue;
    EXPECT_GT(lightness(map.at(0.5)), 95) << map.key;
    EXPECT_NEAR(lightness(map.at(0)), lightness(map.at(1)), 16) << map.key;
    EXPECT_LT(lightness(map.at(0)), 50) << map.key;
  }
}

TEST(ColourMap, CyclicMapsEndWhereTheyStart) {
  const ColourMap& map = colourMap("auto", MapKind::cyclic);
  EXPECT_EQ(map.at(0), map.at(1));
}

TEST(ColourMap, AutomaticFollowsTheKindAndNamesWin) {
  EXPECT_EQ(colourMap("auto", MapKind::sequential).key, "viridis");
  EXPECT_EQ(colourMap("auto", MapKind::diverging).kind, MapKind::diverging);
  EXPECT_EQ(colourMap("grey", MapKind::diverging).key, "grey");
  EXPECT_EQ(colourMap("no such map", MapKind::sequential).key, "viridis");
}

TEST(ColourMap, FractionsOutsideAreClamped) {
  const ColourMap& map = colourMap("viridis", MapKind::sequential);
  EXPECT_EQ(map.at(-3), map.at(0));
  EXPECT_EQ(map.at(7), map.at(1));
  EXPECT_EQ(map.at(-INFINITY), map.at(0));
}

TEST(ValueScale, SignedValuesAreCentredOnZero) {
  const ValueScale scale = automaticScale(MapKind::diverging, -1, 3, false);
  EXPECT_DOUBLE_EQ(scale.low, -3);
  EXPECT_DOUBLE_EQ(scale.fraction(0), 0.5);
  EXPECT_DOUBLE_EQ(automaticScale(MapKind::diverging, -1, 3, true).fraction(0), 0.5);
}

TEST(ValueScale, MagnitudesStartAtZeroWhenTheyComeNearIt) {
  EXPECT_DOUBLE_EQ(automaticScale(MapKind::sequential, 0.1, 1, false).low, 0);
  EXPECT_DOUBLE_EQ(automaticScale(MapKind::sequential, 9, 10, false).low, 9);
}

TEST(ValueScale, AConstantStillHasARange) {
  for (const double value : {0.0, 2.0, -2.0}) {
    const ValueScale scale = automaticScale(MapKind::sequential, value, value, false);
    EXPECT_LT(scale.low, scale.high) << value;
  }
}

TEST(ValueScale, AnglesTakeAWholeTurn) {
  const ValueScale scale = automaticScale(MapKind::cyclic, -0.1, 0.1, false);
  EXPECT_DOUBLE_EQ(scale.high - scale.low, 2 * std::numbers::pi);
}

TEST(ValueScale, FractionAndValueAreInverse) {
  for (const MapKind kind : {MapKind::sequential, MapKind::diverging})
    for (const bool logarithmic : {false, true}) {
      const ValueScale scale = automaticScale(kind, 0.001, 5, logarithmic);
      for (const double fraction : {0.01, 0.3, 0.5, 0.77, 1.0})
        EXPECT_NEAR(scale.fraction(scale.value(fraction)), fraction, 1e-9);
    }
}

TEST(ValueScale, ALogarithmOfNothingIsBelowEverything) {
  const ValueScale scale = automaticScale(MapKind::sequential, 0, 1, true);
  EXPECT_GT(scale.low, 0);
  EXPECT_EQ(scale.fraction(0), -INFINITY);
}

TEST(ValueScale, TicksContainBothLimits) {
  for (const bool logarithmic : {false, true}) {
    const ValueScale scale = automaticScale(MapKind::diverging, -0.37, 0.21, logarithmic);
    const std::vector<double> ticks = scale.ticks(5);
    EXPECT_EQ(ticks.front(), scale.low);
    EXPECT_EQ(ticks.back(), scale.high);
    EXPECT_TRUE(std::is_sorted(ticks.begin(), ticks.end()));
  }
}

TEST(ValueScale, TypedLimitsThatAreNoRangeAreIgnored) {
  const ValueScale automatic = automaticScale(MapKind::sequential, 0, 4, false);
  EXPECT_EQ(typedScale(MapKind::sequential, 2, 2, false, automatic, 0, 4), automatic);
  EXPECT_DOUBLE_EQ(typedScale(MapKind::sequential, 1, 2, false, automatic, 0, 4).high, 2);
}

TEST(ValueScale, TypedLimitsAreOpenWhereTheyCutValues) {
  const ValueScale automatic = automaticScale(MapKind::sequential, 0, 4, false);
  const ValueScale both = typedScale(MapKind::sequential, 1, 2, false, automatic, 0, 4);
  EXPECT_TRUE(both.open_above);
  EXPECT_TRUE(both.open_below);
  const ValueScale none = typedScale(MapKind::sequential, 0, 0.1, false, automatic, 0, static_cast<double>(0.1F));
  EXPECT_FALSE(none.open_above) << "single precision cuts nothing";
  EXPECT_FALSE(none.open_below);
}

/// The numbers beside a bar of this scale, from the bottom to the top.
QStringList numbersOf(const ValueScale& scale) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  QPainter painter(&generator);
  drawColourBar(painter, {0, 0, 80, 200}, colourMap("", MapKind::sequential), scale, {},
                makeStyle(false, Language::english));
  painter.end();
  static const QRegularExpression text(QStringLiteral(">([^<>]*)</text>"));
  QStringList numbers;
  for (auto it = text.globalMatch(QString::fromUtf8(buffer.data())); it.hasNext();)
    numbers << it.next().captured(1).trimmed();
  return numbers;
}

TEST(ColourBar, HasDigitsEnoughForANarrowSpan) {
  const QStringList wide = numbersOf({ValueScale::Kind::linear, 0, 1});
  EXPECT_EQ(wide.front(), QStringLiteral("0"));
  QStringList narrow = numbersOf({ValueScale::Kind::linear, 0.010412, 0.010438});
  ASSERT_GE(narrow.size(), 2);
  EXPECT_EQ(narrow.removeDuplicates(), 0) << narrow.join(' ').toStdString();
}

TEST(ColourBar, SaysWhichEndIsOpen) {
  const ValueScale automatic = automaticScale(MapKind::sequential, 0, 4, false);
  const QStringList both = numbersOf(typedScale(MapKind::sequential, 1, 2, false, automatic, 0, 4));
  EXPECT_EQ(both.front(), QStringLiteral("≤ 1"));
  EXPECT_EQ(both.back(), QStringLiteral("≥ 2"));
  const QStringList above = numbersOf(typedScale(MapKind::sequential, 0, 2, false, automatic, 0, 4));
  EXPECT_EQ(above.front(), QStringLiteral("0"));
  EXPECT_EQ(above.back(), QStringLiteral("≥ 2"));
}

TEST(ValueScale, OneOutlierDoesNotHideTheRest) {
  std::vector<float> sample(1000, 0.01F);
  sample.push_back(1);
  ValueScale scale = automaticScale(MapKind::sequential, 0, 1, false);
  easeOutliers(scale, sample);
  EXPECT_NEAR(scale.high, 0.01, 1e-6);
  EXPECT_TRUE(scale.open_above);

  ValueScale even = automaticScale(MapKind::sequential, 0, 1, false);
  easeOutliers(even, std::vector<float>(100, 0.9F));
  EXPECT_DOUBLE_EQ(even.high, 1);
  EXPECT_FALSE(even.open_above);
}

}  // namespace
}  // namespace posiscope::ui

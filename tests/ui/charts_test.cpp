// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/legend.h"
#include "ui/charts/off_frame.h"
#include "ui/charts/scale.h"
#include "ui/charts/strokes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <QSet>

namespace posiscope::ui {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
const QRectF area(10, 20, 300, 200);

std::vector<double> upTo(std::size_t count, double first = 0) {
  std::vector<double> x(count);
  for (std::size_t n = 0; n < count; ++n) x[n] = first + static_cast<double>(n);
  return x;
}

std::vector<double> of(const std::vector<double>& x, auto f) {
  std::vector<double> y;
  for (const double v : x) y.push_back(f(v));
  return y;
}

std::size_t pointsOf(const Strokes& strokes) {
  std::size_t points = 0;
  for (const QPolygonF& line : strokes.lines) points += static_cast<std::size_t>(line.size());
  for (const QPolygonF& band : strokes.bands) points += static_cast<std::size_t>(band.size());
  return points;
}

TEST(Scale, sharesAndValuesAreInverse) {
  for (const Scale& scale : {Scale{-3, 5, false}, Scale{1, 131072, true}, Scale{1e-9, 1e12, true}})
    for (const double share : {0.0, 0.3, 1.0}) EXPECT_NEAR(scale.share(scale.value(share)), share, 1e-12);
  EXPECT_DOUBLE_EQ((Scale{1, 100, true}.share(10)), 0.5);
  EXPECT_TRUE(std::isnan(Scale({1, 10, true}).share(0)));
  EXPECT_TRUE(std::isnan(Scale({1, 10, true}).share(-4)));
}

TEST(Scale, limitsAreRoundAndNeverEmpty) {
  Extent data;
  data.include(-0.18);
  data.include(0.97);
  data.include(nan_value);
  data.include(std::numeric_limits<double>::infinity());
  EXPECT_EQ(roundScale(data, false), (Scale{-0.2, 1, false}));
  EXPECT_LT(roundScale({}, false).low, roundScale({}, false).high);
  EXPECT_LT(roundScale({}, true).low, roundScale({}, true).high);
  const Scale one = roundScale({7, 7, false}, false);
  EXPECT_LT(one.low, 7);
  EXPECT_GT(one.high, 7);
  EXPECT_EQ(roundScale({6.28, 3.1e6, false}, true), (Scale{1, 1e7, true}));
  EXPECT_EQ(roundScale({0.25, 1, false}, true), (Scale{0.2, 1, true}));
  EXPECT_EQ(roundScale({1, 1, false}, true), (Scale{0.5, 2, true})) << "in the middle, not on the frame";
  EXPECT_GT(exactScale({0, 4095, false}, true).low, 0);
}

TEST(Scale, limitsHoldTheDataToTheLastDigit) {
  const auto fortieth = static_cast<double>(1.0F / 40);  // above the round number by a rounding error
  for (const bool logarithmic : {false, true}) {
    EXPECT_GE(roundScale({0.001, fortieth, false}, logarithmic).high, fortieth);
    EXPECT_GE(roundScale({0.001, static_cast<double>(0.1F), false}, logarithmic).high, static_cast<double>(0.1F));
    EXPECT_LE(roundScale({0.1 - 1e-11, 0.9, false}, logarithmic).low, 0.1 - 1e-11);
  }
  EXPECT_NEAR(roundScale({0, fortieth, false}, false).high, 0.025, 1e-8);
}

TEST(Strokes, aLevelLineAtALimitIsSeen) {
  const std::vector<double> x = upTo(40), y(40, 0.7);
  for (const double top : {0.1, 3.3, 17.7, 101.3}) {
    const QRectF plot(10, top, 300, 123.4);
    EXPECT_FALSE(makeStrokes(x, y, {0, 39, false}, {0.1, 0.7, false}, plot).lines.empty()) << top;
    EXPECT_FALSE(makeStrokes(x, y, {0, 39, false}, {0.7, 0.9, false}, plot).lines.empty()) << top;
  }
}

TEST(Scale, aCurveThatStaysAtALimitIsNotOnTheFrame) {
  const auto scaleFor = [](std::vector<double> y, const Scale& scale) {
    PlotSeries series;
    series.curve = std::make_shared<const Curve>(Curve{"y", {}, CurveRole::line, upTo(y.size()), std::move(y)});
    return offTheFrame(scale, {series}, false);
  };
  const Scale decades{1e4, 1e6, true};
  const Scale padded = scaleFor({1e4, 1e4, 3e4, 4e5}, decades);
  EXPECT_LT(padded.low, 1e4);
  EXPECT_GT(padded.low, 5e3);
  EXPECT_EQ(padded.high, 1e6);
  EXPECT_GT(scaleFor({2, 3, 5, 5}, {0, 5, false}).high, 5);
  EXPECT_EQ(scaleFor({1e4, 2e4, 3e4, 1e6}, decades), decades) << "it only touches the limits";
}

TEST(Ticks, areInsideDifferentAndRoundEverywhere) {
  for (const Scale& scale :
       {Scale{0, 511, false}, Scale{-0.25, 1, false}, Scale{1, 131071, true}, Scale{0.1, 1e6, true}, Scale{3, 7, true},
        Scale{1e-12, 1e-3, true}, Scale{-65536, 0, false}, Scale{0.123456, 0.123457, false},
        Scale{100.0001, 100.0002, true}})
    for (const bool indices : {false, true})
      for (const int wanted : {2, 5, 9}) {
        const Ticks ticks = makeTicks(scale, wanted, indices);
        ASSERT_EQ(static_cast<std::size_t>(ticks.labels.size()), ticks.values.size());
        EXPECT_LE(ticks.values.size(), static_cast<std::size_t>(2 * wanted + 3)) << scale.low << " " << scale.high;
        EXPECT_EQ(QSet<QString>(ticks.labels.begin(), ticks.labels.end()).size(), ticks.labels.size());
        for (const double value : ticks.values) {
          EXPECT_GE(scale.share(value), -1e-6);
          EXPECT_LE(scale.share(value), 1 + 1e-6);
        }
      }
}

TEST(Ticks, readAsPeopleWriteThem) {
  EXPECT_EQ(makeTicks({1, 131071, true}, 3, true).labels.join(' '), "1 100 10k 131k");
  EXPECT_EQ(makeTicks({1, 131071, true}, 6, true).labels.join(' '), "1 10 100 1k 10k 100k");
  EXPECT_EQ(makeTicks({1, 424.2, true}, 2, true).labels.join(' '), "1 100 424") << "a zoom ends between two tokens";
  EXPECT_EQ(makeTicks({0, 63, false}, 5, true).labels.join(' '), "0 16 32 48 63");
  EXPECT_EQ(makeTicks({-0.25, 1, false}, 6, false).labels.join(' '), QString::fromUtf8("−0.25 0 0.25 0.50 0.75 1.00"));
  EXPECT_EQ(makeTicks({1e-6, 1e-4, true}, 4, false).labels.join(' '), QString::fromUtf8("10⁻⁶ 10⁻⁵ 10⁻⁴"));
}

TEST(Ticks, aZoomedLogarithmicAxisHasTwoLabelsAtLeast) {
  for (const double low : {1.2e-4, 0.6, 6.0, 11.0})
    for (const double factor : {1.05, 1.9, 4.0, 13.0, 25.0, 90.0, 800.0})
      for (const int wanted : {1, 2, 3, 6})
        EXPECT_GE(makeTicks({low, low * factor, true}, wanted, false).values.size(), 2U)
            << low << " × " << factor << ", " << wanted;
  EXPECT_EQ(makeTicks({1.2e-4, 0.015, true}, 2, false).labels.join(' '), QString::fromUtf8("0.001 0.01"));
}

TEST(Strokes, aMillionPointsKeepTheirPeaksInTwoPointsForEachColumn) {
  const std::vector<double> x = upTo(1'000'000);
  std::vector<double> y = of(x, [](double v) { return 0.1 * v / 1e6; });
  y[123'456] = 1;
  y[654'321] = -1;
  const Strokes strokes = makeStrokes(x, y, {0, 999'999, false}, {-1, 1, false}, area);
  EXPECT_LE(pointsOf(strokes), 2 * 301U);
  double top = area.bottom(), bottom = area.top();
  for (const QPolygonF& line : strokes.lines)
    for (const QPointF& point : line) top = std::min(top, point.y()), bottom = std::max(bottom, point.y());
  EXPECT_NEAR(top, area.top(), 1e-9);
  EXPECT_NEAR(bottom, area.bottom(), 1e-9);
}

TEST(Strokes, fewPointsAreDrawnAsTheyAre) {
  const std::vector<double> x{0, 1, 2, 3}, y{0, 1, 0, 1};
  const Strokes strokes = makeStrokes(x, y, {0, 3, false}, {0, 1, false}, area);
  ASSERT_EQ(strokes.lines.size(), 1U);
  EXPECT_EQ(strokes.lines.front(), (QPolygonF{{10, 220}, {110, 20}, {210, 220}, {310, 20}}));
}

TEST(Strokes, whatCannotBeDrawnIsAGapAndTheRestStays) {
  const std::vector<double> x = upTo(7, 1);
  const Strokes gaps =
      makeStrokes(x, std::vector<double>{1, 2, nan_value, 3, 4, std::numeric_limits<double>::infinity(), 5},
                  {1, 7, false}, {0, 5, false}, area);
  EXPECT_EQ(gaps.lines.size(), 2U);
  ASSERT_EQ(gaps.dots.size(), 1U) << "a point without neighbours is a dot";
  EXPECT_EQ(gaps.dots.front(), area.topRight());
  const Strokes logarithmic =
      makeStrokes(x, std::vector<double>{1, 2, 0, 3, -1, 4, 5}, {1, 7, true}, {1, 5, true}, area);
  EXPECT_EQ(logarithmic.lines.size(), 2U);
  EXPECT_EQ(logarithmic.dots.size(), 1U);
  // Offset 0 has no place on a logarithmic axis; the others have.
  const std::vector<double> from_zero = upTo(5);
  const Strokes without_zero =
      makeStrokes(from_zero, std::vector<double>{0, 4, 1, 3, 2}, {1, 4, true}, {0, 4, false}, area);
  ASSERT_EQ(without_zero.lines.size(), 1U);
  EXPECT_EQ(without_zero.lines.front().size(), 4);
}

TEST(Strokes, oscillationsFinerThanPixelsBecomeAnEnvelope) {
  const std::vector<double> x = upTo(20'000);
  const auto fast = of(x, [](double v) { return std::sin(v); });
  const Strokes dense = makeStrokes(x, fast, {0, 19'999, false}, {-1, 1, false}, area);
  ASSERT_EQ(dense.bands.size(), 1U);
  EXPECT_NEAR(dense.bands.front().boundingRect().height(), area.height(), 1);
  EXPECT_NEAR(dense.bands.front().boundingRect().width(), area.width(), 2);
  for (const QPolygonF& line : dense.lines)
    for (const QPointF& point : line) EXPECT_NEAR(point.y(), area.center().y(), 12) << "the mean, not a zigzag";
  const auto slow = of(x, [](double v) { return std::sin(v / 500); });
  EXPECT_TRUE(makeStrokes(x, slow, {0, 19'999, false}, {-1, 1, false}, area).bands.empty());
  // Zoomed in, the same curve is a line again.
  EXPECT_TRUE(makeStrokes(x, fast, {100, 150, false}, {-1, 1, false}, area).bands.empty());
}

TEST(Strokes, strokesThatWouldRunTogetherBecomeAnEnvelopeToo) {
  // From one to many turns for each pixel column: with lines 1.5 pixels wide all of these would be solid blocks.
  for (const double turns : {0.5, 1.0, 2.5, 9.0}) {
    const std::vector<double> x = upTo(30'000);
    const auto wave = of(x, [&](double v) { return std::sin(v / 30'000 * 300 * turns * std::numbers::pi); });
    const Strokes strokes = makeStrokes(x, wave, {0, 29'999, false}, {-1, 1, false}, area);
    ASSERT_EQ(strokes.bands.size(), 1U) << turns;
    EXPECT_NEAR(strokes.bands.front().boundingRect().width(), area.width(), 2) << turns;
  }
}

TEST(Strokes, theEnvelopeKeepsThePeaks) {
  const std::vector<double> x = upTo(60'000);
  auto wave = of(x, [](double v) { return 0.3 * std::sin(v); });
  wave[20'000] = 0.9;
  wave[40'000] = -0.9;
  const Strokes strokes = makeStrokes(x, wave, {0, 59'999, false}, {-1, 1, false}, area);
  ASSERT_FALSE(strokes.bands.empty());
  double top = area.bottom(), bottom = area.top();
  for (const QPolygonF& band : strokes.bands)
    top = std::min(top, band.boundingRect().top()), bottom = std::max(bottom, band.boundingRect().bottom());
  EXPECT_NEAR(top, area.center().y() - 0.9 * area.height() / 2, 1e-9);
  EXPECT_NEAR(bottom, area.center().y() + 0.9 * area.height() / 2, 1e-9);
}

TEST(Strokes, noiseWithASampleForEachColumnStaysALine) {
  const std::vector<double> x = upTo(300);
  std::uint32_t state = 1;
  const auto noise = of(x, [&](double) { return (state = state * 1664525U + 1013904223U) / 4294967296.0; });
  EXPECT_TRUE(makeStrokes(x, noise, {0, 299, false}, {0, 1, false}, area).bands.empty());
}

TEST(Strokes, aSmoothCurveNeedsFewPointsAndStaysWhereItIs) {
  const std::vector<double> x = upTo(1'200);
  const auto smooth = of(x, [](double v) { return std::exp(-v / 300); });
  const Scale xs{0, 1'199, false}, ys{0, 1, false};
  const Strokes strokes = makeStrokes(x, smooth, xs, ys, area);
  ASSERT_EQ(strokes.lines.size(), 1U);
  EXPECT_LT(strokes.lines.front().size(), 80);
  for (qsizetype k = 1; k < strokes.lines.front().size(); ++k) {
    const QPointF middle = (strokes.lines.front()[k - 1] + strokes.lines.front()[k]) / 2;
    const double value = std::exp(-xs.value((middle.x() - area.left()) / area.width()) / 300);
    EXPECT_NEAR(middle.y(), area.bottom() - value * area.height(), 0.5) << k;
  }
}

TEST(Strokes, nothingLeavesTheArea) {
  const std::vector<double> x = upTo(500);
  const auto y = of(x, [](double v) { return 1e200 * std::sin(v / 9); });
  const Strokes strokes = makeStrokes(x, y, {100, 300, false}, {-1, 1, false}, area);
  ASSERT_FALSE(strokes.lines.empty());
  for (const QPolygonF& line : strokes.lines)
    EXPECT_TRUE(area.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(line.boundingRect().center())) << line.size();
  for (const QPolygonF& line : strokes.lines)
    for (const QPointF& point : line) {
      EXPECT_GE(point.x(), area.left() - 1e-6);
      EXPECT_LE(point.x(), area.right() + 1e-6);
      EXPECT_GE(point.y(), area.top() - 1e-6);
      EXPECT_LE(point.y(), area.bottom() + 1e-6);
    }
}

TEST(Strokes, unsortedAbscissasAreAllKept) {
  const std::vector<double> x{0, 2, 1, 3}, y{0, 1, 1, 0};
  const Strokes strokes = makeStrokes(x, y, {0, 3, false}, {0, 1, false}, area);
  ASSERT_EQ(strokes.lines.size(), 1U);
  EXPECT_EQ(strokes.lines.front().size(), 4);
}

TEST(Dashed, leavesTheSharePatternAsks) {
  double drawn = 0;
  for (const QLineF& piece : dashed(QPolygonF{{0, 0}, {30, 40}, {30, 140}}, {6, 4})) drawn += piece.length();
  EXPECT_NEAR(drawn, 90, 1e-9);
  EXPECT_EQ(dashed(QPolygonF{{0, 0}, {30, 40}, {30, 140}}, {}).size(), 2);
}

TEST(Band, isOpenWhereThereIsNothing) {
  std::vector<double> low(9, -0.5), high(9, 0.5);
  low[4] = high[4] = nan_value;
  const QPolygonF band = makeBand(upTo(9), low, high, {0, 8, false}, {-1, 1, false}, area);
  const auto covers = [&](double x) {
    return band.containsPoint({area.left() + x / 8 * area.width(), area.center().y()}, Qt::OddEvenFill);
  };
  EXPECT_TRUE(covers(2.5) && covers(5.5));
  EXPECT_FALSE(covers(3.5) || covers(4.5));
}

TEST(Band, spansFromTheLowerToTheUpperCurve) {
  const std::vector<double> x = upTo(10'000), low(10'000, -0.5), high(10'000, 0.5);
  const QPolygonF band = makeBand(x, low, high, {0, 9'999, false}, {-1, 1, false}, area);
  EXPECT_LE(band.size(), 2 * 302);
  EXPECT_NEAR(band.boundingRect().height(), area.height() / 2, 1e-9);
  EXPECT_NEAR(band.boundingRect().width(), area.width(), 1e-9);
}

TEST(Legend, wrapsAndSaysWhatIsMissing) {
  const Style style = makeStyle(false, Language::english);
  std::vector<PlotGroup> groups;
  for (int g = 0; g < 6; ++g) groups.push_back({QStringLiteral("RoPE · a long scaling name %1").arg(g), Qt::red, {}});
  for (const double width : {80.0, 200.0, 340.0, 900.0}) {
    const LegendLayout layout = layoutLegend(groups, {12, 6}, width, 2, style);
    ASSERT_FALSE(layout.entries.empty());
    EXPECT_EQ(layout.entries.size() + static_cast<std::size_t>(layout.more), groups.size());
    for (const LegendLayout::Entry& entry : layout.entries) {
      EXPECT_LE(entry.box.right(), 12 + width + 1e-6);
      EXPECT_EQ(layout.groupAt(entry.box.center()), entry.group);
    }
  }
  EXPECT_EQ(layoutLegend(groups, {12, 6}, 900, 2, style).more, 0);
}

}  // namespace
}  // namespace posiscope::ui

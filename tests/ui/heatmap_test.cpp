// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/heatmap.h"
#include "core/slow_field.h"
#include "ui/paint/axes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <QPainter>
#include <vector>

namespace posiscope::ui {
namespace {

HeatmapLook look(double low, double high) {
  HeatmapLook result;
  result.map = &colourMap("viridis", MapKind::sequential);
  result.scale.low = low;
  result.scale.high = high;
  result.mask_colour = qRgb(1, 2, 3);
  result.missing_colour = qRgb(9, 8, 7);
  return result;
}

/// Each cell has its own value: row · cols + col.
std::shared_ptr<const Field> counting(std::int64_t rows, std::int64_t cols) {
  std::vector<float> values(static_cast<std::size_t>(rows * cols));
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = static_cast<float>(n);
  return storedField(rows, cols, std::move(values));
}

/// 10 rows of 10 cells that are worth 1 as soon as they are known, and 0 in a draft.
class SlowOnes final : public SlowField {
 public:
  std::int64_t rows() const override { return 10; }
  std::int64_t cols() const override { return 10; }
  float at(std::int64_t, std::int64_t) const override { return 1; }
  float now(std::int64_t, std::int64_t) const override { return known_ ? 1 : 0; }
  void sample(const FieldWindow&, std::int64_t, std::int64_t, Reduction, std::span<float> out) const override {
    std::ranges::fill(out, now(0, 0));
  }
  bool isFinal(const FieldWindow&, std::int64_t) const override { return known_; }
  bool refine(const FieldWindow&, std::int64_t, const Job&) const override { return known_ = true; }
  bool isKnown(std::int64_t) const override { return known_; }

 private:
  mutable bool known_ = false;
};

TEST(Heatmap, ADraftIsShownUntilTheFieldKnowsMore) {
  for (const Reduction reduction : {Reduction::mean, Reduction::nearest}) {
    const auto field = std::make_shared<const SlowOnes>();
    HeatmapLook colours = look(0, 1);
    colours.reduction = reduction;
    HeatmapSampler sampler;
    const FieldWindow window{0, 0, 10, 10};
    const QSize few(4, 4);  // nearest asks for all of them at once
    EXPECT_EQ(sampler.image(field, window, few, colours).pixel(1, 1), colours.map->at(0));
    ASSERT_TRUE(sampler.unfinished());
    EXPECT_EQ(sampler.unfinished()->field, field);
    EXPECT_EQ(sampler.unfinished()->height, 4);
    sampler.image(field, window, few, colours);
    EXPECT_EQ(sampler.askings(), 1) << "nothing new is known";
    const HeatmapSampler::Unfinished draft = *sampler.unfinished();
    slowField(*draft.field)->refine(draft.window, draft.height, Job());
    EXPECT_FALSE(sampler.unfinished());
    EXPECT_EQ(sampler.image(field, window, few, colours).pixel(1, 1), colours.map->at(1));
    sampler.image(field, window, few, colours);
    EXPECT_EQ(sampler.askings(), 2);
  }
}

TEST(Heatmap, WhoCanWaitSeesNoDraft) {
  const auto field = std::make_shared<const SlowOnes>();
  HeatmapSampler sampler(HeatmapSampler::Patience::wait);
  const HeatmapLook colours = look(0, 1);
  EXPECT_EQ(sampler.image(field, {0, 0, 10, 10}, QSize(40, 40), colours).pixel(1, 1), colours.map->at(1));
  EXPECT_FALSE(sampler.unfinished());
}

TEST(Heatmap, EveryPixelShowsTheCellThatThePointerFinds) {
  const auto field = counting(7, 5);
  const HeatmapLook colours = look(0, 34);
  HeatmapSampler sampler;
  for (const FieldWindow window :
       {FieldWindow{0, 0, 7, 5}, FieldWindow{1.3, 0.4, 3.7, 2.9}, FieldWindow{6.5, 4.5, 0.5, 0.5}})
    for (const QSize size : {QSize(5, 7), QSize(64, 43), QSize(33, 101)}) {
      const QImage& image = sampler.image(field, window, size, colours);
      ASSERT_EQ(image.size(), size);
      for (int y = 0; y < size.height(); ++y)
        for (int x = 0; x < size.width(); ++x) {
          const auto row = cellAt(window.row, window.rows, size.height(), y);
          const auto col = cellAt(window.col, window.cols, size.width(), x);
          ASSERT_EQ(image.pixel(x, y), colours.map->at(colours.scale.fraction(field->at(row, col))))
              << size.width() << " at " << x << ", " << y;
        }
    }
}

TEST(Heatmap, NearestShowsTheVeryCellWhenManyShareAPixel) {
  const auto field = counting(100, 90);
  HeatmapLook colours = look(0, 8999);
  colours.reduction = Reduction::nearest;
  HeatmapSampler sampler;
  const QImage& image = sampler.image(field, {0, 0, 100, 90}, QSize(13, 17), colours);
  for (int y = 0; y < 17; ++y)
    for (int x = 0; x < 13; ++x)
      ASSERT_EQ(image.pixel(x, y),
                colours.map->at(colours.scale.fraction(field->at(cellAt(0, 100, 17, y), cellAt(0, 90, 13, x)))));
}

TEST(Heatmap, TheReductionIsTheChosenOne) {
  // One column of cells 0, 0, 0, 4 behind one pixel.
  const auto field = storedField(4, 1, {0, 0, 0, 4});
  HeatmapSampler sampler;
  HeatmapLook colours = look(0, 4);
  const auto shown = [&](Reduction reduction) {
    colours.reduction = reduction;
    return sampler.image(field, {0, 0, 4, 1}, QSize(1, 1), colours).pixel(0, 0);
  };
  EXPECT_EQ(shown(Reduction::mean), colours.map->at(0.25));
  EXPECT_EQ(shown(Reduction::maximum), colours.map->at(1));
  EXPECT_EQ(shown(Reduction::minimum), colours.map->at(0));
}

TEST(Heatmap, MaskedAndMissingCellsHaveColoursOfTheirOwn) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto field = storedField(1, 3, {0, 0, nan});
  HeatmapLook colours = look(0, 1);
  colours.masked = [](std::int64_t, std::int64_t col) { return col == 1; };
  HeatmapSampler sampler;
  const QImage& image = sampler.image(field, {0, 0, 1, 3}, QSize(30, 10), colours);
  EXPECT_EQ(image.pixel(5, 5), colours.map->at(0)) << "a zero that may be looked at";
  EXPECT_EQ(image.pixel(15, 5), colours.mask_colour);
  int hatched = 0;
  for (int x = 20; x < 30; ++x) hatched += image.pixel(x, 5) == colours.missing_colour;
  EXPECT_GT(hatched, 0);
  EXPECT_LT(hatched, 10);
}

TEST(Heatmap, OutsideTheFieldIsMissing) {
  const auto field = storedField(1, 1, {1});
  const HeatmapLook colours = look(0, 1);
  HeatmapSampler sampler;
  const QImage& image = sampler.image(field, {0, -1, 1, 2}, QSize(20, 1), colours);
  EXPECT_NE(image.pixel(1, 0), colours.map->at(1));
  EXPECT_EQ(image.pixel(15, 0), colours.map->at(1));
}

/// An edge in the middle of a device pixel may be rounded either way: compilers differ in the last bit.
bool isTie(double edge) { return std::abs(edge - std::floor(edge) - 0.5) < 1e-9; }

/// Draws one stripe for each device pixel and finds them all again.
void expectStripes(double left, double right, double scale) {
  if (isTie(left * scale) || isTie(right * scale)) return;
  const HeatmapLook colours = look(0, 1);
  const int first = qRound(left * scale);
  const int cells = qRound(right * scale) - first;
  std::vector<float> stripes(static_cast<std::size_t>(cells));
  for (std::size_t n = 0; n < stripes.size(); ++n) stripes[n] = static_cast<float>(n % 2);
  QImage image(qRound(60 * scale), qRound(40 * scale), QImage::Format_RGB32);
  image.fill(Qt::white);
  image.setDevicePixelRatio(scale);
  QPainter painter(&image);
  HeatmapSampler sampler;
  drawHeatmap(painter, QRectF(left, 10, right - left, 20), storedField(1, cells, stripes),
              {0, 0, 1, static_cast<double>(cells)}, colours, sampler);
  painter.end();
  for (int n = 0; n < cells; ++n)
    ASSERT_EQ(image.pixel(first + n, qRound(20 * scale)), colours.map->at(n % 2))
        << "stripe " << n << " of " << left << " to " << right << ", scale " << scale;
}

TEST(Heatmap, DevicePixelsAreNeitherDoubledNorDroppedAtFractionalScaleFactors) {
  for (const double scale : {1.0, 1.1, 1.25, 1.5, 1.75, 2.0})
    for (int tenth = 0; tenth < 10; ++tenth)
      for (int length = 0; length < 10; ++length)
        expectStripes(10 + tenth * 0.1, 43 + tenth * 0.1 + length * 0.1, scale);
}

TEST(Heatmap, TellsWhenCellsShareAPixel) {
  EXPECT_FALSE(isReduced({0, 0, 10, 10}, QSize(10, 10)));
  EXPECT_TRUE(isReduced({0, 0, 11, 10}, QSize(10, 10)));
}

TEST(Axes, TicksAreRoundAndInside) {
  const std::vector<double> fifths = niceTicks(0, 1, 5);
  ASSERT_EQ(fifths.size(), 6U);
  for (std::size_t n = 0; n < 6; ++n) EXPECT_NEAR(fifths[n], 0.2 * static_cast<double>(n), 1e-12);
  EXPECT_EQ(indexTicks(0, 511, 5), (std::vector<double>{0, 128, 256, 384}));
  EXPECT_EQ(indexTicks(-511, 511, 2), (std::vector<double>{-256, 0, 256}));
  EXPECT_EQ(niceTicks(3, 3, 5), (std::vector<double>{3}));
  for (const double tick : niceTicks(-0.7, 12.3, 6)) EXPECT_TRUE(tick >= -0.7 && tick <= 12.3);
}

TEST(Axes, TitlesCarryTheSymbolOnce) {
  const Style style = makeStyle(false, Language::english);
  Axis axis;
  axis.name = {"pair", "维度对"};
  axis.symbol = "p";
  EXPECT_EQ(axisTitle(axis, style), "pair p");
  axis.name = {"offset i − j", "偏移 i − j"};
  axis.symbol = "n";
  axis.unit = "tokens";
  EXPECT_EQ(axisTitle(axis, style), QStringLiteral("offset i − j"));
  axis.name = {"angle", "角度"};
  axis.symbol = "";
  axis.unit = "rad";
  EXPECT_EQ(axisTitle(axis, style), "angle (rad)");
  EXPECT_EQ(axisTitle(axis, makeStyle(false, Language::chinese)), QStringLiteral("角度（rad）"));
}

TEST(Heatmap, TheSameFieldIsAskedOnce) {
  const auto field = counting(7, 5);
  HeatmapLook colours = look(0, 34);
  HeatmapSampler sampler;
  const FieldWindow window{0, 0, 7, 5};
  const QImage first = sampler.image(field, window, QSize(50, 70), colours).copy();
  EXPECT_EQ(sampler.image(field, window, QSize(50, 70), colours), first);
  EXPECT_EQ(sampler.askings(), 1);
  colours.scale.high = 60;
  const QImage paler = sampler.image(field, window, QSize(50, 70), colours).copy();
  EXPECT_EQ(sampler.askings(), 1) << "other colours of the same samples";
  EXPECT_NE(paler, first);
  HeatmapSampler fresh;
  EXPECT_EQ(fresh.image(field, window, QSize(50, 70), colours), paler);
}

TEST(Heatmap, AnotherFieldWindowSizeOrReductionIsAskedAnew) {
  auto field = counting(7, 5);
  HeatmapLook colours = look(0, 34);
  HeatmapSampler sampler;
  const auto matches = [&](const FieldWindow& window, QSize size) {
    HeatmapSampler fresh;
    return sampler.image(field, window, size, colours) == fresh.image(field, window, size, colours);
  };
  EXPECT_TRUE(matches({0, 0, 7, 5}, QSize(3, 4)));
  EXPECT_TRUE(matches({1, 0, 6, 5}, QSize(3, 4)));
  EXPECT_TRUE(matches({1, 0, 6, 5}, QSize(5, 3)));
  colours.reduction = Reduction::maximum;
  EXPECT_TRUE(matches({1, 0, 6, 5}, QSize(5, 3)));
  EXPECT_EQ(sampler.askings(), 4);
  // A new field may lie where the old one lay.
  for (int n = 0; n < 4; ++n) {
    field.reset();
    field = storedField(7, 5, std::vector<float>(35, static_cast<float>(n)));
    EXPECT_TRUE(matches({1, 0, 6, 5}, QSize(5, 3)));
  }
  EXPECT_EQ(sampler.askings(), 8);
}

}  // namespace
}  // namespace posiscope::ui

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/colour_bar.h"

#include "ui/paint/axes.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>

namespace posiscope::ui {
namespace {

constexpr double bar_width = 10;
constexpr double gap = 5;
constexpr double title_width = 16;
constexpr double title_least_height = 110;  // of the bar; a title that fits whole needs less
constexpr double short_title_least_height = 48;

struct BarTick {
  double value;
  QString text;
};

QString tickLabel(const ValueScale& scale, double value, int digits) {
  const QString number = numberText(value, digits);
  if (scale.open_above && value == scale.high) return QStringLiteral("≥ ") + number;
  if (scale.open_below && value == scale.low) return QStringLiteral("≤ ") + number;
  return number;
}

/// Three digits, or as many as tell the numbers of a narrow span apart.
std::vector<BarTick> labelled(const ValueScale& scale, const std::vector<double>& values) {
  constexpr int fewest = 3, most = 9;
  std::vector<BarTick> ticks;
  for (int digits = fewest; digits <= most; ++digits) {
    ticks.clear();
    for (const double value : values) ticks.push_back({value, tickLabel(scale, value, digits)});
    const auto same = [&](const BarTick& a, const BarTick& b) {
      return numberText(a.value, digits) == numberText(b.value, digits);
    };
    if (std::ranges::adjacent_find(ticks, same) == ticks.end()) break;
  }
  return ticks;
}

/// The ticks whose texts do not overlap; the limits always stay.
std::vector<BarTick> shownTicks(const ValueScale& scale, double height) {
  const std::vector<double> all = scale.ticks(std::clamp(static_cast<int>(height / 42), 1, 6));
  std::vector<double> shown;
  for (const double tick : all) {
    const double y = scale.fraction(tick) * height;
    const bool limit = tick == all.front() || tick == all.back();
    const double low = scale.fraction(all.front()) * height;
    const double high = scale.fraction(all.back()) * height;
    if (limit || (y > low + 15 && y < high - 15)) shown.push_back(tick);
  }
  return labelled(scale, shown);
}

bool isTitled(const QString& title, double height, const QFontMetricsF& metrics) {
  const bool whole = height >= short_title_least_height && metrics.horizontalAdvance(title) <= height;
  return !title.isEmpty() && (whole || height >= title_least_height);
}

QRectF drawColours(QPainter& painter, const QRectF& area, const ColourMap& map) {
  const QRectF bar(area.left(), area.top(), bar_width, area.height());
  const int rows = std::max(1, static_cast<int>(std::ceil(bar.height())) * 2);
  QImage image(1, rows, QImage::Format_RGB32);
  for (int y = 0; y < rows; ++y) image.setPixel(0, y, map.at(1 - (y + 0.5) / rows));
  painter.drawImage(bar, image);
  return bar;
}

}  // namespace

double colourBarWidth(const ValueScale& scale, double height, const QString& title, const Style& style) {
  const QFontMetricsF metrics(style.font(tick_pixels));
  double width = 0;
  for (const BarTick& tick : shownTicks(scale, height)) width = std::max(width, metrics.horizontalAdvance(tick.text));
  return bar_width + gap + std::ceil(width) + (isTitled(title, height, metrics) ? title_width : 0);
}

void drawColourBar(QPainter& painter, const QRectF& area, const ColourMap& map, const ValueScale& scale,
                   const QString& title, const Style& style) {
  const QRectF bar = drawColours(painter, area, map);
  painter.setFont(style.font(tick_pixels));
  painter.setPen(style.mute);
  const QFontMetricsF metrics(painter.font());
  double width = 0;
  for (const BarTick& tick : shownTicks(scale, bar.height())) {
    const double y = bar.bottom() - scale.fraction(tick.value) * bar.height();
    width = std::max(width, metrics.horizontalAdvance(tick.text));
    painter.drawText(QRectF(bar.right() + gap, y - 10, 120, 20), Qt::AlignLeft | Qt::AlignVCenter, tick.text);
  }
  if (!isTitled(title, bar.height(), metrics)) return;
  painter.save();
  painter.translate(bar.right() + gap + std::ceil(width) + title_width / 2, bar.center().y());
  painter.rotate(-90);
  painter.drawText(QRectF(-bar.height() / 2, -title_width / 2, bar.height(), title_width), Qt::AlignCenter,
                   metrics.elidedText(title, Qt::ElideRight, bar.height()));
  painter.restore();
}

void drawUnnumberedBar(QPainter& painter, const QRectF& area, const ColourMap& map, const Style& style) {
  const QRectF bar = drawColours(painter, area, map);
  painter.setFont(style.font(tick_pixels));
  painter.setPen(style.mute);
  const QRectF text(bar.right() + gap, bar.top() - 4, 60, bar.height() + 8);
  painter.drawText(text, Qt::AlignLeft | Qt::AlignTop, style.text({"own\nmax", "各自\n最大"}));
  painter.drawText(text, Qt::AlignLeft | Qt::AlignBottom, style.text({"own\nmin", "各自\n最小"}));
}

}  // namespace posiscope::ui

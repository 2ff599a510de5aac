// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/marks.h"

#include "ui/charts/strokes.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>
#include <QPainter>

namespace posiscope::ui {
namespace {

double clampedShare(const Scale& scale, double value) {
  const double share = std::isinf(value) ? (value > 0 ? 1.0 : 0.0) : scale.share(value);
  return std::isnan(share) ? 0 : std::clamp(share, 0.0, 1.0);
}

bool isLine(const PlotMark& mark) { return mark.from == mark.to; }

/// The part of the plot between the mark's ends; without area for a line.
QRectF markBox(const PlotMark& mark, const PlotLayout& layout) {
  const QRectF& plot = layout.plot;
  const Scale& scale = mark.vertical ? layout.frame.x : layout.frame.y;
  const double low = clampedShare(scale, std::min(mark.from, mark.to));
  const double high = clampedShare(scale, std::max(mark.from, mark.to));
  if (mark.vertical)
    return {QPointF(plot.left() + low * plot.width(), plot.top()),
            QPointF(plot.left() + high * plot.width(), plot.bottom())};
  return {QPointF(plot.left(), plot.bottom() - high * plot.height()),
          QPointF(plot.right(), plot.bottom() - low * plot.height())};
}

bool inside(const Scale& scale, double value) {
  const double share = scale.share(value);
  return share >= -1e-9 && share <= 1 + 1e-9;
}

void drawDashed(QPainter& painter, QPointF from, QPointF to) { painter.drawLines(dashed(QPolygonF{from, to}, {4, 3})); }

/// Writes labels at the first of their places that is free.
class Labels {
 public:
  Labels(QPainter& painter, const QRectF& plot, const std::vector<QPolygonF>& curves, const Style& style)
      : painter_(painter), plot_(plot), curves_(curves), style_(style) {
    painter_.setFont(style_.font(11));
  }

  /// No label may stand on a line that crosses the plot.
  void keepOff(const QRectF& line) { lines_.push_back(line); }

  /// Above or below the level line `line`, as far right as it covers no curve; where there is no such place, at its
  /// end.
  void writeAlong(const QRectF& line, const QString& text, const QColor& colour) {
    constexpr double step = 24, above = -17, below = 2;
    const QFontMetricsF metrics(painter_.font());
    const QSizeF size(metrics.horizontalAdvance(text) + 2, metrics.height());
    if (text.isEmpty() || size.width() > plot_.width() - 8) return;
    for (double right = line.right() - 4; right - size.width() > line.left() + 4; right -= step)
      for (const double lift : {above, below}) {
        const QRectF box(QPointF(right - size.width(), line.top() + lift), size);
        if (isFree(box) && coversNoCurve(box)) return draw(text, box, colour);
      }
    const QPointF at = line.topRight() + QPointF(-4, above), other = line.topRight() + QPointF(-4, below);
    write(text, {at, other, other + QPointF(0, 16), other + QPointF(0, 32)}, true, colour);
  }

  /// `places`: right edges of the label where `before`, left edges otherwise.
  void write(const QString& text, const std::vector<QPointF>& places, bool before, const QColor& colour) {
    const QFontMetricsF metrics(painter_.font());
    const QSizeF size(metrics.horizontalAdvance(text) + 2, metrics.height());
    if (text.isEmpty() || size.width() > plot_.width() - 8) return;
    for (const QPointF& place : places) {
      const QRectF left(QPointF(place.x() - size.width(), place.y()), size);
      const QRectF right(before ? place + QPointF(8, 0) : place, size);
      for (const QRectF& box : before ? std::vector{left, right} : std::vector{right, left})
        if (isFree(box)) return draw(text, box, colour);
    }
  }

 private:
  bool isFree(const QRectF& box) const {
    const auto meets = [&](const QRectF& other) { return other.intersects(box); };
    return plot_.adjusted(-1, -1, 1, 1).contains(box) && std::ranges::none_of(taken_, meets) &&
           std::ranges::none_of(lines_, meets);
  }

  bool coversNoCurve(const QRectF& box) const {
    std::vector<QPolygonF> covered;
    for (const QPolygonF& curve : curves_) {
      clipPolyline(curve, box.adjusted(-2, -1, 2, 1), covered);
      if (!covered.empty()) return false;
    }
    return true;
  }

  void draw(const QString& text, const QRectF& box, const QColor& colour) {
    taken_.push_back(box);
    QColor ground = style_.panel;
    ground.setAlphaF(0.7F);  // readable over curves
    painter_.fillRect(box, ground);
    painter_.setPen(colour);
    painter_.drawText(box, Qt::AlignCenter, text);
  }

  QPainter& painter_;
  const QRectF& plot_;
  const std::vector<QPolygonF>& curves_;
  const Style& style_;
  std::vector<QRectF> taken_;
  std::vector<QRectF> lines_;
};

}  // namespace

void paintMarkBands(QPainter& painter, const Plot& plot, const PlotLayout& layout, const Style& style) {
  for (const PlotMark& mark : plot.marks) {
    if (isLine(mark)) continue;
    const QRectF box = markBox(mark, layout);
    if (box.width() <= 0 || box.height() <= 0) continue;
    QColor fill = mark.warm ? style.warn : style.mute;
    fill.setAlphaF(style.dark ? 0.1F : 0.08F);
    painter.fillRect(box, fill);
  }
}

void paintMarkLines(QPainter& painter, const Plot& plot, const PlotLayout& layout, const std::vector<QPolygonF>& curves,
                    const Style& style) {
  const QRectF& area = layout.plot;
  Labels labels(painter, area, curves, style);
  const auto isSeen = [&](const PlotMark& mark) {
    return isLine(mark) && inside(mark.vertical ? layout.frame.x : layout.frame.y, mark.from);
  };
  for (const PlotMark& mark : plot.marks)
    if (isSeen(mark)) labels.keepOff(markBox(mark, layout).adjusted(-1, -1, 1, 1));
  for (const PlotMark& mark : plot.marks) {
    const QRectF box = markBox(mark, layout);
    if (!isLine(mark)) {
      if (box.height() < 6 || box.width() < 6) continue;
      labels.write(mark.label, {box.topLeft() + QPointF(6, 4), box.bottomLeft() + QPointF(6, -18)}, false, style.mute);
      continue;
    }
    if (!isSeen(mark)) continue;
    const QColor colour = mark.colour.isValid() ? mark.colour : style.mute;
    painter.setPen(QPen(colour, 1, Qt::SolidLine, Qt::FlatCap));
    drawDashed(painter, mark.vertical ? box.bottomLeft() : box.topLeft(),
               mark.vertical ? box.topLeft() : box.topRight());
    if (!mark.vertical) {
      labels.writeAlong(box, mark.label, colour);
      continue;
    }
    const QPointF at = box.topLeft() + QPointF(-4, 4);
    labels.write(mark.label, {at, at + QPointF(0, 16), at + QPointF(0, 32), at + QPointF(0, 48)}, true, colour);
  }
}

}  // namespace posiscope::ui

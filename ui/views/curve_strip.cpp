// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/curve_strip.h"

#include "core/slow_field.h"
#include "ui/charts/pinned.h"
#include "ui/charts/plot_painter.h"
#include "ui/charts/strokes.h"
#include "ui/paint/axes.h"
#include "ui/views/map_drawing.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <QFontMetricsF>
#include <QLineF>
#include <QPainter>

namespace posiscope::ui {
namespace {

/// Lines between neighbours; nothing where a value is missing. drawPolyline is many times slower with wide pens.
class LineBuilder {
 public:
  void add(QPointF point, bool valid) {
    // A level stretch is one line: a zoomed cell is many pixels wide.
    const bool level = !lines_.isEmpty() && connected_ && (goesOn(&QPointF::y, point) || goesOn(&QPointF::x, point));
    if (valid && level)
      lines_.last().setP2(point);
    else if (valid && connected_)
      lines_.append(QLineF(last_, point));
    last_ = point;
    connected_ = valid;
  }
  const QList<QLineF>& lines() const { return lines_; }

 private:
  bool goesOn(double (QPointF::*along)() const, const QPointF& point) const {
    const QLineF& line = lines_.last();
    return (line.p1().*along)() == (point.*along)() && (line.p2().*along)() == (point.*along)() && line.p2() == last_;
  }

  QList<QLineF> lines_;
  QPointF last_;
  bool connected_ = false;
};

struct Span {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

void drawGrid(QPainter& painter, const QRectF& plot, const AxisScale& x, const AxisScale& y, const Style& style) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(QPen(style.grid, 1));
  for (const double tick : x.ticks) {
    const double at = plot.left() + x.fraction(tick) * plot.width();
    painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()));
  }
  for (const double tick : y.ticks) {
    const double at = plot.bottom() - y.fraction(tick) * plot.height();
    painter.drawLine(QPointF(plot.left(), at), QPointF(plot.right(), at));
  }
  painter.restore();
}

/// Offsets and patches are counted: a tick between two of them would name nothing.
std::vector<double> stripTicks(const std::vector<StripCurve>& curves, const Span& xs, double width) {
  const bool counted = std::ranges::all_of(curves, [](const StripCurve& strip) {
    return std::ranges::all_of(strip.curve->x, [](double x) { return x == std::floor(x); });
  });
  int most = std::max(2, static_cast<int>(width / 60));
  std::vector<double> ticks = niceTicks(xs.low, xs.high, most);
  // From −95 to 95 in steps of 100 there would be the 0 alone.
  while (ticks.size() < 2 && most < 8) ticks = niceTicks(xs.low, xs.high, ++most);
  if (counted) std::erase_if(ticks, [](double tick) { return tick != std::floor(tick); });
  return ticks;
}

/// At least two in a low strip, too: the 0 alone is no scale.
std::vector<double> valueTicks(const Span& ys, double height) {
  int most = std::max(2, static_cast<int>(height / 36));
  std::vector<double> ticks = niceTicks(ys.low, ys.high, most);
  while (ticks.size() < 2 && most < 8) ticks = niceTicks(ys.low, ys.high, ++most);
  return ticks;
}

/// "before (pinned)" at the top right, after a piece of such a line.
void drawPinnedKey(QPainter& painter, const QRectF& plot, const Style& style) {
  const QString name = pinnedName(style);
  constexpr double height = 14, sample = 20, gap = 5;
  painter.setFont(style.font(10));
  const double width = sample + gap + QFontMetricsF(painter.font()).horizontalAdvance(name);
  if (width > plot.width() || height > plot.height()) return;
  const QPointF start(plot.right() - width, plot.top() + height / 2);
  paintLine(painter, QPolygonF{{start, start + QPointF(sample, 0)}},
            QPen(style.mute, pinned_width, Qt::SolidLine, Qt::FlatCap), pinnedDashes());
  painter.setPen(style.mute);
  painter.drawText(QRectF(start.x() + sample + gap, plot.top(), width, height), Qt::AlignLeft | Qt::AlignVCenter, name);
}

void drawStripCurve(QPainter& painter, const QRectF& plot, const StripCurve& strip, const AxisScale& x,
                    const AxisScale& y, double envelope_share, const Style& style) {
  const Strokes strokes =
      makeStrokes(strip.curve->x, strip.curve->y, {x.low, x.high, false}, {y.low, y.high, false}, plot);
  const QColor colour = strip.pinned ? pinnedColour(strip.scheme_colour, style) : schemeColour(strip.scheme_colour);
  QColor fill = colour;
  fill.setAlphaF(static_cast<float>(strip.pinned ? envelope_share / 2 : envelope_share));
  painter.setPen(Qt::NoPen);
  painter.setBrush(fill);
  for (const QPolygonF& band : strokes.bands) painter.drawPolygon(band);
  const QPen pen(colour, strip.pinned ? pinned_width : 1.5, Qt::SolidLine, Qt::FlatCap);
  for (const QPolygonF& line : strokes.lines)
    paintLine(painter, line, pen, strip.pinned ? pinnedDashes() : strip.dashes);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  for (const QPointF& dot : strokes.dots) painter.drawEllipse(dot, 2.5, 2.5);
}

struct StripScales {
  AxisScale x;
  AxisScale y;
};

bool isByOffset(const std::vector<StripCurve>& curves) {
  return !curves.empty() && curves.front().dataset->x.symbol == "n";
}

/// The sample of the curve nearest to the abscissa.
std::size_t nearest(const Curve& curve, double x) {
  const auto after = std::ranges::lower_bound(curve.x, x);
  if (after == curve.x.begin()) return 0;
  if (after == curve.x.end()) return curve.x.size() - 1;
  const auto at = static_cast<std::size_t>(after - curve.x.begin());
  return x - curve.x[at - 1] < curve.x[at] - x ? at - 1 : at;
}

double inside(const ValueScale& scale, float value) { return std::clamp(scale.fraction(value), 0.0, 1.0); }

void drawProfileFrame(QPainter& painter, const QRectF& area, const Style& style) {
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(QPen(style.grid, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(area.adjusted(0, 0, -1, -1));
  painter.setRenderHint(QPainter::Antialiasing);
}

}  // namespace

static std::optional<StripScales> scalesOf(const QRectF& plot, const std::vector<StripCurve>& curves,
                                           const Style& style) {
  if (curves.empty()) return std::nullopt;
  Span xs;
  Span ys;
  for (const StripCurve& strip : curves) {
    const Curve& curve = *strip.curve;
    for (std::size_t n = 0; n < curve.x.size(); ++n)
      if (std::isfinite(curve.y[n])) xs.add(curve.x[n]);  // a window leaves far offsets without a mean
    for (const double y : curve.y) ys.add(y);
  }
  if (xs.low == xs.high) xs = {xs.low - 1, xs.high + 1};  // one offset stands between its neighbours
  if (!(xs.low < xs.high) || !std::isfinite(ys.high)) return std::nullopt;
  if (ys.low > 0) ys.low = 0;
  if (!(ys.low < ys.high)) ys.high = ys.low + 1;
  const Dataset& dataset = *curves.front().dataset;
  AxisScale x{xs.low, xs.high, stripTicks(curves, xs, plot.width()), axisTitle(dataset.x, style)};
  AxisScale y{ys.low, ys.high, valueTicks(ys, plot.height()), axisTitle(dataset.y, style)};
  // The top tick closes the plot, as in print.
  if (y.ticks.size() > 1 && y.ticks.back() < y.high) {
    y.high = y.ticks.back() + (y.ticks[1] - y.ticks[0]);
    y.ticks.push_back(y.high);
  }
  return StripScales{std::move(x), std::move(y)};
}

void drawCurveStrip(QPainter& painter, const QRectF& plot, const std::vector<StripCurve>& curves, const Style& style) {
  const std::optional<StripScales> scales = scalesOf(plot, curves, style);
  if (!scales) return;
  const auto& [x, y] = *scales;
  drawGrid(painter, plot, x, y, style);
  drawLeftAxis(painter, plot, y, false, style);
  drawBottomAxis(painter, plot, x, style);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const double share = envelopeShare(std::ssize(curves));
  for (const bool pinned : {true, false})
    for (const StripCurve& strip : curves)
      if (strip.pinned == pinned) drawStripCurve(painter, plot, strip, x, y, share, style);
  std::vector<const Curve*> before, now;
  for (const StripCurve& strip : curves) (strip.pinned ? before : now).push_back(strip.curve);
  if (pinnedDiffer(before, now)) drawPinnedKey(painter, plot, style);
  painter.restore();
}

std::optional<double> stripOffsetAt(const QRectF& plot, const std::vector<StripCurve>& curves, QPointF point,
                                    const Style& style) {
  if (!plot.contains(point) || !isByOffset(curves)) return std::nullopt;
  const std::optional<StripScales> scales = scalesOf(plot, curves, style);
  if (!scales) return std::nullopt;
  const AxisScale& x = scales->x;
  const double place = x.low + (point.x() - plot.left()) / plot.width() * (x.high - x.low);
  const Curve& curve = *curves.front().curve;
  return curve.x[nearest(curve, place)];
}

void drawStripHover(QPainter& painter, const QRectF& plot, const std::vector<StripCurve>& curves, const Hover& hover,
                    const Style& style) {
  if (!hover.offset || !isByOffset(curves)) return;
  const std::optional<StripScales> scales = scalesOf(plot, curves, style);
  if (!scales) return;
  const double share = scales->x.fraction(*hover.offset);
  if (share < 0 || share > 1) return;
  const double x = plot.left() + share * plot.width();
  painter.save();
  QPen pen(style.mute, 1);
  pen.setDashPattern({3, 3});
  painter.setPen(pen);
  painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  for (const StripCurve& strip : curves) {
    if (strip.pinned) continue;
    const std::size_t at = nearest(*strip.curve, *hover.offset);
    if (strip.curve->x[at] != *hover.offset || !std::isfinite(strip.curve->y[at])) continue;
    painter.setBrush(schemeColour(strip.scheme_colour));
    painter.drawEllipse(QPointF(x, plot.bottom() - scales->y.fraction(strip.curve->y[at]) * plot.height()), 3, 3);
  }
  painter.restore();
}

void drawProfiles(QPainter& painter, const QRectF& right, const QRectF& bottom, const Map& map,
                  const FieldWindow& window, const ValueScale& scale, const Hover& hover, const QColor& colour,
                  const Style& style) {
  if (right.isEmpty() || bottom.isEmpty()) return;
  painter.save();
  drawProfileFrame(painter, right, style);
  drawProfileFrame(painter, bottom, style);
  painter.setPen(QPen(colour, 1.2));
  const Field& field = *map.field;
  if (const auto col = hoveredColumn(map, hover)) {
    const int pixels = std::max(1, static_cast<int>(right.height()));
    LineBuilder builder;
    for (int y = 0; y < pixels; ++y) {
      const std::int64_t row = cellAt(window.row, window.rows, pixels, y);
      const float value = row >= 0 && row < field.rows() ? valueNow(field, row, *col) : NAN;
      builder.add(QPointF(right.left() + inside(scale, value) * right.width(), right.top() + y + 0.5),
                  std::isfinite(value));
    }
    painter.drawLines(builder.lines());
  }
  if (const auto row = hoveredRow(map, hover)) {
    const int pixels = std::max(1, static_cast<int>(bottom.width()));
    LineBuilder builder;
    for (int x = 0; x < pixels; ++x) {
      const std::int64_t col = cellAt(window.col, window.cols, pixels, x);
      const float value = col >= 0 && col < field.cols() ? valueNow(field, *row, col) : NAN;
      builder.add(QPointF(bottom.left() + x + 0.5, bottom.bottom() - inside(scale, value) * bottom.height()),
                  std::isfinite(value));
    }
    painter.drawLines(builder.lines());
  }
  painter.restore();
}

}  // namespace posiscope::ui

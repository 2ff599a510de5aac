// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/scale.h"

#include <QLineF>
#include <QList>
#include <QPolygonF>
#include <QRectF>
#include <span>
#include <vector>

namespace posiscope::ui {

/// What is left of a curve for the pixels it has.
struct Strokes {
  std::vector<QPolygonF> lines;  ///< inside the area; split at gaps
  std::vector<QPointF> dots;     ///< points without a neighbour
  std::vector<QPolygonF> bands;  ///< min–max envelopes where oscillations are finer than a pixel column
};

/// Reduces a curve to about two points per pixel column: the smallest and largest value of each column in the
/// order they occur, so peaks survive; points on the way between others are dropped. Where oscillations stand so close
/// that their strokes would run together, their envelope and their mean are given instead. NaN, infinite and (on a
/// logarithmic axis) non-positive values are gaps. Everything is clipped to `area` by geometry, because QSvgGenerator
/// of Qt 6.4 ignores clipping. O(points in the visible range) when `x` ascends; otherwise all points are kept.
Strokes makeStrokes(std::span<const double> x, std::span<const double> y, const Scale& x_scale, const Scale& y_scale,
                    const QRectF& area);

/// The area between two curves over the same abscissas, one pair of points per pixel column at most.
QPolygonF makeBand(std::span<const double> x, std::span<const double> low, std::span<const double> high,
                   const Scale& x_scale, const Scale& y_scale, const QRectF& area);

/// The parts of a line inside `area`.
void clipPolyline(const QPolygonF& line, const QRectF& area, std::vector<QPolygonF>& parts);

/// The pieces of a line that a dash pattern (pixels: on, off, on …) leaves; all of it when the pattern is empty.
QList<QLineF> dashed(const QPolygonF& line, const QList<qreal>& pattern);

}  // namespace posiscope::ui

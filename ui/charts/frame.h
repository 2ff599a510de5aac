// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot.h"

#include <QGraphicsScene>
#include <QRectF>
#include <QSizeF>

class QChart;
class QCategoryAxis;
class QPainter;

namespace posiscope::ui {

/// What stands around curves: background, axes, grid, tick labels and titles, drawn by Qt Charts.
///
/// The axes are QCategoryAxis over the share 0 … 1: labels are ours ("131k", "10⁻⁵", thin spaces), a logarithmic
/// axis is ours as well (one value ≤ 0 makes a whole series of QLogValueAxis vanish), and changing limits costs
/// 0.6 ms (measured, 360 × 260 at 2×, against 8 ms for createDefaultAxes). The lines are not QLineSeries: those cost
/// 4–5 ms per 1000 points, our own drawLines 0.6 ms.
class ChartFrame {
 public:
  ChartFrame();
  ~ChartFrame();
  ChartFrame(const ChartFrame&) = delete;
  ChartFrame& operator=(const ChartFrame&) = delete;

  struct Look {
    QSizeF size;
    QRectF plot;  ///< where the curves go, in a frame at the origin
    QString x_title, y_title, right_title;
    Scale x, y, right;
    Ticks x_ticks, y_ticks, right_ticks;
    bool has_right = false;
    bool x_upright = false;  ///< the labels below the plot read upwards
    bool dark = false;
    Language language = Language::english;

    bool operator==(const Look&) const = default;
  };

  /// Does nothing when nothing differs; touches only the axes that do. True when the picture changed.
  bool setLook(const Look& look, const Style& style);
  /// Draws the frame with its top left corner at `at`.
  void render(QPainter& painter, QPointF at);

 private:
  void applyStyle(const Style& style);

  QGraphicsScene scene_;
  QChart* chart_;
  QCategoryAxis* x_;
  QCategoryAxis* y_;
  QCategoryAxis* right_;
  Look look_;
};

}  // namespace posiscope::ui

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_layout.h"

class QPainter;

namespace posiscope::ui {

/// The abscissa and the values of all curves there.
struct Readout {
  double x = 0;
  struct Row {
    QString name;
    QColor colour;
    double value;
    int scheme;
    bool right;  ///< on the right axis
  };
  std::vector<Row> rows;
  /// What the box says: a curve, or all curves of one legend entry from the least value to the largest.
  struct Line {
    QString name;
    QColor colour;
    double low;
    double high;
  };
  std::vector<Line> lines;
  int more = 0;  ///< curves without a line
};

/// What the curves say at `x`: the samples nearest to it. With an isolated group, only that one, curve by curve; else
/// many curves share the lines of their groups, so that the box does not hide what it tells about. No more than
/// `most_lines`.
Readout readAt(const Plot& plot, double x, int isolated, std::size_t most_lines = 8);

/// Cross-hair, a dot on each curve and a box with the values. Painted over a finished picture.
void paintReadout(QPainter& painter, const Plot& plot, const PlotLayout& layout, const Readout& readout, bool with_box,
                  const Style& style);

}  // namespace posiscope::ui

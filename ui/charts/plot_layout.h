// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/frame.h"
#include "ui/charts/legend.h"
#include "ui/charts/plot.h"

namespace posiscope::ui {

/// Where the parts of a plot stand in a rectangle of `size` at the origin.
struct PlotLayout {
  QSizeF size;
  QRectF plot;  ///< where the curves go; empty when there is no room for any
  LegendLayout legend;
  ChartFrame::Look frame;
  std::vector<QRectF> notices;  ///< a strip each; those without one found no place
};

/// `x` and `y`: the visible part, which zooming may have changed from the plot's own.
PlotLayout layoutPlot(const Plot& plot, const Scale& x, const Scale& y, QSizeF size, const Style& style);

}  // namespace posiscope::ui

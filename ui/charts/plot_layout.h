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

/// Where the text of an error or warning starts: after its dot.
inline constexpr double notice_indent = 20;
/// One line to `most_lines`; longer sentences are shortened (the tool tip has all of it).
double plotNoticeHeight(const PlotNotice& notice, double width, const Style& style, int most_lines = 3);

/// `x` and `y`: the visible part, which zooming may have changed from the plot's own.
enum class NoticeRoom {
  quarter,  ///< of the height at most, three lines each: the rest is told by a tooltip
  whole,    ///< a figure has no tooltip
};

PlotLayout layoutPlot(const Plot& plot, const Scale& x, const Scale& y, QSizeF size, const Style& style,
                      NoticeRoom room = NoticeRoom::quarter);

}  // namespace posiscope::ui

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_layout.h"

class QPainter;

namespace posiscope::ui {

/// A line with dashes in pixels (none = whole), the fastest way the painter's device knows.
void paintLine(QPainter& painter, const QPolygonF& line, QPen pen, const QList<qreal>& dashes);

/// How opaque each of some envelopes is that lie over each other.
double envelopeShare(std::ptrdiff_t envelopes);

/// The part of a plot that Qt Charts draws; worth keeping in a pixmap while `ChartFrame::setLook` answers false.
void paintFrame(QPainter& painter, const PlotLayout& layout, ChartFrame& frame, const Style& style);

/// Bands, marks, curves, legend and notices, over the frame. `isolated`: the legend group that stands out (−1 = none).
void paintCurves(QPainter& painter, const Plot& plot, const PlotLayout& layout, int isolated, const Style& style);

/// The sentence that stands where nothing can be drawn.
void paintCentred(QPainter& painter, const Plot& plot, QSizeF size, const Style& style);

/// The whole picture without a widget, for export: the same code as on the screen.
void paintPlot(QPainter& painter, const QRectF& target, const Plot& plot, const Scale& x, const Scale& y,
               const Style& style, bool stale);

}  // namespace posiscope::ui

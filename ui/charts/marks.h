// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_layout.h"

#include <QPolygonF>
#include <vector>

class QPainter;

namespace posiscope::ui {

/// The shaded parts of a plot's marks, under the curves.
void paintMarkBands(QPainter& painter, const Plot& plot, const PlotLayout& layout, const Style& style);
/// Their lines and labels, over the curves; labels keep out of each other's way, and those of level lines out of the
/// way of the curves, where there is such a place.
void paintMarkLines(QPainter& painter, const Plot& plot, const PlotLayout& layout, const std::vector<QPolygonF>& curves,
                    const Style& style);

}  // namespace posiscope::ui

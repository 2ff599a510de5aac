// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/map_scene.h"

#include <QPointF>
#include <QRectF>
#include <optional>
#include <vector>

class QPainter;

namespace posiscope::ui {

/// Small curves with axes below the maps, one for each scheme ("mean weight by offset").
void drawCurveStrip(QPainter& painter, const QRectF& plot, const std::vector<StripCurve>& curves, const Style& style);

/// The offset whose sample is nearest to a point of the plot; nothing where the curves are over something else.
std::optional<double> stripOffsetAt(const QRectF& plot, const std::vector<StripCurve>& curves, QPointF point,
                                    const Style& style);
/// Marks the hovered offset: a line, and a dot on each curve.
void drawStripHover(QPainter& painter, const QRectF& plot, const std::vector<StripCurve>& curves, const Hover& hover,
                    const Style& style);

/// The values of the hovered column at the right of a map and of its row below, on the colours' scale. Either
/// rectangle may be empty.
void drawProfiles(QPainter& painter, const QRectF& right, const QRectF& bottom, const Map& map,
                  const FieldWindow& window, const ValueScale& scale, const Hover& hover, const QColor& colour,
                  const Style& style);

}  // namespace posiscope::ui

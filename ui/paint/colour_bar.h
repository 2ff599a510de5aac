// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/paint/colour_map.h"
#include "ui/paint/style.h"
#include "ui/paint/value_scale.h"

#include <QRectF>
#include <QString>

class QPainter;

namespace posiscope::ui {

/// The width of bar, numbers and title together.
double colourBarWidth(const ValueScale& scale, double height, const QString& title, const Style& style);

/// The colour map from `low` (bottom) to `high` (top) along the left edge of `area`, both limits and round values
/// between them printed at its right.
void drawColourBar(QPainter& painter, const QRectF& area, const ColourMap& map, const ValueScale& scale,
                   const QString& title, const Style& style);

/// The same for many maps with scales of their own: the ends are named, the numbers stand with the maps.
void drawUnnumberedBar(QPainter& painter, const QRectF& area, const ColourMap& map, const Style& style);

}  // namespace posiscope::ui

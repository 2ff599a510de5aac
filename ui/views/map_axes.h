// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/paint/axes.h"
#include "ui/views/map_scene.h"

namespace posiscope::ui {

/// The ticks beside (below) the visible part of a map whose plot is that high (wide). `named`: with the words of the
/// tokens, where each has the room of a line.
AxisScale rowScale(const MapScene& scene, const Map& map, double length, bool named);
AxisScale colScale(const MapScene& scene, const Map& map, double length, bool named);

/// Do all maps have the same rows (columns), so that one axis serves them all?
bool sameAxes(const MapScene& scene, Axis Map::*axis, std::int64_t (Field::*cells)() const);

}  // namespace posiscope::ui

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/paint/heatmap.h"
#include "ui/views/map_layout.h"
#include "ui/views/map_scene.h"

#include <optional>
#include <QPointF>
#include <vector>

class QPainter;

namespace posiscope::ui {

/// The whole picture without the pointer. Each panel has a sampler of its own, which knows what it drew before.
void drawMaps(QPainter& painter, const QRectF& target, const MapScene& scene, const MapLayout& layout,
              std::vector<HeatmapSampler>& samplers);

/// Cross-hairs of what the pointer is on, in this view or another, and the profiles of its row and column.
void drawMapHover(QPainter& painter, const MapScene& scene, const MapLayout& layout, const Hover& hover);

/// The cell at a point, in indices of the map.
struct MapCell {
  std::size_t panel = 0;
  std::int64_t row = 0;
  std::int64_t col = 0;

  bool operator==(const MapCell&) const = default;
};
std::optional<MapCell> mapCellAt(const MapScene& scene, const MapLayout& layout, QPointF point, double density);

/// What a cell means in the field's terms.
Hover hoverOf(const MapScene& scene, const MapCell& cell);

/// The row and the column of a map that a hover names; empty when it names none, or one outside.
std::optional<std::int64_t> hoveredRow(const Map& map, const Hover& hover);
std::optional<std::int64_t> hoveredColumn(const Map& map, const Hover& hover);

}  // namespace posiscope::ui

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_options.h"
#include "ui/views/map_scene.h"
#include "ui/views/map_view.h"
#include "ui/views/map_views.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace posiscope::ui {
namespace {

const std::vector<ParamSpec>& options() {
  static const std::vector<ParamSpec> specs = [] {
    std::vector<ParamSpec> own{oneOrAllSchemes("all")};
    // Row numbers are names: they have no limits, no logarithm and no mean.
    std::ranges::copy_if(mapOptions(), std::back_inserter(own),
                         [](const ParamSpec& spec) { return spec.key == "map"; });
    return own;
  }();
  return specs;
}

/// How many rows the looked-up table has; those that are read where the dataset does not say.
std::int64_t tableRows(const MapPanel& panel) {
  const std::vector<Metric>& metrics = panel.dataset->metrics;
  const auto found = std::ranges::find(metrics, "table_rows", &Metric::key);
  const double rows =
      found == metrics.end() ? static_cast<double>(panel.map->field->limits().maximum) + 1 : found->value;
  return static_cast<std::int64_t>(std::max(1.0, rows));
}

/// One colour for each row of a table; tables of different schemes have nothing in common.
void colourByRow(MapScene& scene, const std::string& chosen) {
  const ColourMap& map = colourMap(chosen, MapKind::sequential);
  for (MapPanel& panel : scene.panels) {
    if (!panel.map) continue;
    const std::int64_t rows = tableRows(panel);
    panel.look.scale = wholeScale(rows);
    panel.look.map = &steppedMap(map, static_cast<int>(std::min<std::int64_t>(rows, ColourMap::size)));
    panel.look.none_below = 0;
    panel.look.reduction = Reduction::nearest;
  }
  const MapPanel* first = scene.first();
  scene.one_scale = !first || std::ranges::all_of(scene.panels, [first](const MapPanel& panel) {
    return !panel.map || panel.look.scale == first->look.scale;
  });
  scene.reduction = Reduction::nearest;
}

MapScene scene(const ViewContext& context) {
  MapChoice choice;
  if (chosen(options(), context.tile, "schemes") == "selected") choice.schemes = {context.presentation.selected};
  MapScene scene = makeMapScene(context, choice);
  colourByRow(scene, chosen(options(), context.tile, "map"));
  scene.square = true;
  scene.strip.clear();
  return scene;
}

}  // namespace

/// Which row of its learned table each pair of tokens reads, one colour a row.
ViewKind bucketMapView() {
  return mapViewKind("bucket_map", {"Bucket map", "分桶图"}, "bucket_map", options(), {}, scene);
}

}  // namespace posiscope::ui

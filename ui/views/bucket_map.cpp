// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_options.h"
#include "ui/views/map_scene.h"
#include "ui/views/map_view.h"
#include "ui/views/view_kinds.h"

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

/// The rows of a looked-up table that have a colour.
struct TableRows {
  std::int64_t first = 0;
  std::int64_t count = 1;
};

/// All rows of the table, so that those nobody reads are seen on the bar; of a table for much longer sequences those
/// that are read, which would have one colour among thousands.
TableRows colouredRows(const MapPanel& panel) {
  const Field::Limits read = panel.map->field->limits();
  const auto first = static_cast<std::int64_t>(std::max(0.0F, read.minimum));
  const std::int64_t count = std::max<std::int64_t>(1, static_cast<std::int64_t>(read.maximum) + 1 - first);
  const std::vector<Metric>& metrics = panel.dataset->metrics;
  const auto found = std::ranges::find(metrics, "table_rows", &Metric::key);
  if (found == metrics.end()) return {0, first + count};
  const std::int64_t all = std::max<std::int64_t>(1, static_cast<std::int64_t>(found->value));
  return read.exact && count < all / 4 ? TableRows{first, count} : TableRows{0, all};
}

/// One colour for each row of a table; tables of different schemes have nothing in common.
void colourByRow(MapScene& scene, const std::string& chosen) {
  const ColourMap& map = colourMap(chosen, MapKind::sequential);
  for (MapPanel& panel : scene.panels) {
    if (!panel.map) continue;
    const TableRows rows = colouredRows(panel);
    panel.look.scale = wholeScale(rows.count, rows.first);
    panel.look.map = &steppedMap(map, static_cast<int>(std::min<std::int64_t>(rows.count, ColourMap::size)));
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

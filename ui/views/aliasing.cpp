// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How near the vectors of two positions come to each other, over their offset or for each position.
#include "ui/views/curve_options.h"
#include "ui/views/curve_view.h"
#include "ui/views/view_kinds.h"
#include "ui/views/map_options.h"

namespace posiscope::ui {
namespace {

const std::vector<ParamSpec>& ownOptions() {
  static const std::vector<ParamSpec> specs{scaleOption("x_scale", {"offset axis", "偏移轴"}, true)};
  return specs;
}

bool overPositions(const TileState& tile) {
  const auto found = tile.options.find("against");
  const auto* key = found == tile.options.end() ? nullptr : std::get_if<std::string>(&found->second);
  return key && *key == "position";
}

Plot aliasingPlot(const ViewContext& context) {
  CurveLook look;
  look.x_logarithmic = !overPositions(context.tile) && chosen(ownOptions(), context.tile, "x_scale") == "log";
  look.y_limits = typedLimits(context.tile, false);
  look.y_include = {0};
  return makePlot(context, look);
}

}  // namespace

ViewKind aliasingView() {
  return curveViewKind(ownOptions(), {"aliasing", {"Aliasing", "混叠"}, CurveKind::Abscissa::offset, aliasingPlot});
}

}  // namespace posiscope::ui

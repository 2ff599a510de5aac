// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Single dimensions of the table over position.
#include "ui/views/curve_options.h"
#include "ui/views/curve_view.h"
#include "ui/views/curve_views.h"
#include "ui/views/map_options.h"

namespace posiscope::ui {
namespace {

const std::vector<ParamSpec>& ownOptions() {
  static const std::vector<ParamSpec> specs{scaleOption("x_scale", {"position axis", "位置轴"}, false)};
  return specs;
}

Plot wavesPlot(const ViewContext& context) {
  CurveLook look;
  look.x_logarithmic = chosen(ownOptions(), context.tile, "x_scale") == "log";
  look.y_limits = typedLimits(context.tile, false);
  return makePlot(context, look);
}

}  // namespace

ViewKind wavesView() {
  return curveViewKind(ownOptions(), {"waves", {"Waves", "波形"}, CurveKind::Abscissa::position, wavesPlot});
}

}  // namespace posiscope::ui

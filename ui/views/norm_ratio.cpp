// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Length of the position vector against that of the word it is added to, over position: below 0.1 the position is
// hardly heard, above 1 it drowns the word.
#include "ui/views/curve_options.h"
#include "ui/views/curve_view.h"
#include "ui/views/view_kinds.h"
#include "ui/views/map_options.h"

namespace posiscope::ui {
namespace {

const std::vector<ParamSpec>& ownOptions() {
  static const std::vector<ParamSpec> specs{measureOption("norm_ratio", "show"),
                                            scaleOption("x_scale", {"position axis", "位置轴"}, false)};
  return specs;
}

Plot ratioPlot(const ViewContext& context) {
  CurveLook look;
  look.x_logarithmic = chosen(ownOptions(), context.tile, "x_scale") == "log";
  look.y_logarithmic = true;
  look.y_limits = typedLimits(context.tile, true);
  // The band is the yardstick of ratios: always in the picture.
  if (chosen(ownOptions(), context.tile, "show") == "ratio") look.y_include = {0.1, 1};
  look.warnings = true;
  return makePlot(context, look);
}

}  // namespace

ViewKind normRatioView() {
  return curveViewKind(ownOptions(),
                       {"norm_ratio", {"Norm ratio", "范数比"}, CurveKind::Abscissa::position, ratioPlot});
}

}  // namespace posiscope::ui

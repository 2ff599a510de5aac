// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How strongly two tokens are tied by position alone, over their offset; all schemes on the same axes.
#include "ui/views/curve_options.h"
#include "ui/views/curve_view.h"
#include "ui/views/view_kinds.h"
#include "ui/views/map_options.h"

namespace posiscope::ui {
namespace {

const std::vector<ParamSpec>& ownOptions() {
  // Logarithmic first: decay over 131 072 tokens is lost in the first pixels of a linear axis.
  static const std::vector<ParamSpec> specs{scaleOption("x_scale", {"offset axis", "偏移轴"}, true)};
  return specs;
}

Plot decayPlot(const ViewContext& context) {
  CurveLook look;
  look.x_logarithmic = chosen(ownOptions(), context.tile, "x_scale") == "log";
  look.y_limits = typedLimits(context.tile, false);
  return makePlot(context, look);
}

}  // namespace

ViewKind relativeDecayView() {
  return curveViewKind(ownOptions(),
                       {"relative_decay", {"Relative decay", "相对衰减"}, CurveKind::Abscissa::offset, decayPlot});
}

}  // namespace posiscope::ui

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The base that a rotation has for a sequence of each length.
#include "ui/views/curve_options.h"
#include "ui/views/curve_view.h"
#include "ui/views/view_kinds.h"
#include "ui/views/map_options.h"

namespace posiscope::ui {
namespace {

const std::vector<ParamSpec>& ownOptions() {
  static const std::vector<ParamSpec> specs{
      scaleOption("x_scale", {"length axis", "长度轴"}, false),
      choiceOption("y_scale", {"base axis", "底数轴"},
                   {"Equal steps are equal ratios, or equal differences.", "等距表示等比，或表示等差。"},
                   {{"log", {"logarithmic", "对数"}}, {"linear", {"linear", "线性"}}})};
  return specs;
}

Plot basePlot(const ViewContext& context) {
  CurveLook look;
  look.x_logarithmic = chosen(ownOptions(), context.tile, "x_scale") == "log";
  look.y_logarithmic = chosen(ownOptions(), context.tile, "y_scale") == "log";
  look.y_limits = typedLimits(context.tile, look.y_logarithmic);
  return makePlot(context, look);
}

}  // namespace

/// A length is read like a position: that of a sequence which has come so far.
ViewKind baseByLengthView() {
  return curveViewKind(ownOptions(),
                       {"base_by_length", {"Base by length", "底数与长度"}, CurveKind::Abscissa::position, basePlot});
}

}  // namespace posiscope::ui

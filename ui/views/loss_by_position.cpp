// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How badly a trained model predicts each token with each of the schemes: how far beyond its training they carry it.
#include "ui/views/curve_options.h"
#include "ui/views/curve_view.h"
#include "ui/views/view_kinds.h"
#include "ui/views/map_options.h"

#include <algorithm>
#include <cmath>

namespace posiscope::ui {
namespace {

/// At most; a short sequence has blocks of a sixteenth of it, so that there is a curve.
constexpr double usual_block = 64;
constexpr double fewest_blocks = 16;

const std::vector<ParamSpec>& ownOptions() {
  static const std::vector<ParamSpec> specs = [] {
    ParamSpec block = measureOption("loss_by_position", "block");
    block.default_value = usual_block;
    return std::vector{block, scaleOption("x_scale", {"position axis", "位置轴"}, false)};
  }();
  return specs;
}

MeasureRequest request(const TileState& tile, const Presentation&, const Experiment& e) {
  MeasureRequest request = curveRequest("loss_by_position", tile);
  double block = chosenNumber(ownOptions(), tile, "block");
  if (!tile.options.contains("block"))
    block = std::clamp(std::floor(static_cast<double>(e.shape.keys()) / fewest_blocks), 1.0, block);
  request.options["block"] = block;
  return request;
}

Plot lossPlot(const ViewContext& context) {
  CurveLook look;
  look.x_logarithmic = chosen(ownOptions(), context.tile, "x_scale") == "log";
  look.y_limits = typedLimits(context.tile, false);
  look.warnings = true;
  return makePlot(context, look);
}

}  // namespace

ViewKind lossByPositionView() {
  ViewKind view = curveViewKind(
      ownOptions(),
      {"loss_by_position", {"Loss by position", "按位置的损失"}, CurveKind::Abscissa::position, lossPlot});
  view.request = request;
  return view;
}

}  // namespace posiscope::ui

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Single dimensions of the table over position.
#include "ui/views/curve_options.h"
#include "ui/views/curve_view.h"
#include "ui/views/view_kinds.h"
#include "ui/views/map_options.h"

#include <algorithm>
#include <cstddef>

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

/// Few curves together, unless more are asked for: a picture of twenty is a scribble.
MeasureRequest request(const TileState& tile, const Presentation&, const Experiment& experiment) {
  constexpr std::ptrdiff_t most_together = 6;
  constexpr std::ptrdiff_t most_of_one = 4;
  MeasureRequest request = curveRequest("waves", tile);
  const std::ptrdiff_t schemes = std::ranges::count_if(experiment.schemes, &SchemeChoice::visible);
  if (schemes > 0)
    request.options.emplace("curves",
                            static_cast<double>(std::clamp(most_together / schemes, std::ptrdiff_t{1}, most_of_one)));
  return request;
}

}  // namespace

ViewKind wavesView() {
  ViewKind kind = curveViewKind(ownOptions(), {"waves", {"Waves", "波形"}, CurveKind::Abscissa::position, wavesPlot});
  kind.request = request;
  return kind;
}

}  // namespace posiscope::ui

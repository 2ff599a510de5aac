// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Single dimensions of the table over position.
#include "core/error.h"
#include "core/measures/list.h"
#include "ui/views/curve_options.h"
#include "ui/views/curve_view.h"
#include "ui/views/map_options.h"
#include "ui/views/view_kinds.h"

#include <algorithm>
#include <cstddef>

namespace posiscope::ui {
namespace {

constexpr std::ptrdiff_t most_together = 6;
constexpr std::ptrdiff_t most_of_one = 4;

/// That of the measure, but left to the view unless one is asked for.
ParamSpec curvesOption() {
  ParamSpec spec = *findParam(measures::find("waves")->options, "curves");
  spec.default_value = 0.0;
  spec.minimum = spec.slider_minimum = 0;
  spec.unset = {"a few", "几条"};
  spec.help = {join("How many dimensions of each scheme are drawn when none are listed; empty means ", most_of_one,
                    " of one scheme, about ", most_together, " in all of several."),
               join("未列出维度时，每个方案绘制多少个维度；空表示单个方案 ", most_of_one, " 个，多个方案共约 ",
                    most_together, " 个。")};
  return spec;
}

const std::vector<ParamSpec>& ownOptions() {
  static const std::vector<ParamSpec> specs{scaleOption("x_scale", {"position axis", "位置轴"}, false), curvesOption()};
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
  MeasureRequest request = curveRequest("waves", tile);
  if (chosenNumber(ownOptions(), tile, "curves") == 0) request.options.erase("curves");
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

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// One row of the attention map as a curve over the keys, schemes over each other.
#include "ui/views/curve_options.h"
#include "ui/views/curve_view.h"
#include "ui/views/view_kinds.h"
#include "ui/views/map_options.h"

#include <algorithm>

namespace posiscope::ui {
namespace {

// As many as the maps of attention show: their content is made once.
constexpr double usual_tokens = 512;

const std::vector<ParamSpec>& ownOptions() {
  static const std::vector<ParamSpec> specs{
      measureOption("attention_row", "query"),
      tokensOption(usual_tokens, {"How many of the first tokens are computed and shown; −1 is the last query of these.",
                                  "计算并显示前多少个词元；查询 −1 为其中最后一个。"}),
      scaleOption("y_scale", {"weight axis", "权重轴"}, false)};
  return specs;
}

/// The chosen head, and a query that a sequence which has become shorter still has.
MeasureRequest request(const TileState& tile, const Presentation& presentation, const Experiment& experiment) {
  const Shape& shape = experiment.shape;
  const double tokens = std::min(static_cast<double>(shape.keys()), chosenNumber(ownOptions(), tile, "tokens"));
  const double queries = std::min(static_cast<double>(shape.queries()), tokens);
  const double query = std::clamp(chosenNumber(ownOptions(), tile, "query"), -queries, queries - 1);
  return {"attention_row", {{"query", query}, {"head", shownHead(presentation, experiment)}, {"tokens", tokens}}};
}

Plot rowPlot(const ViewContext& context) {
  CurveLook look;
  look.y_logarithmic = chosen(ownOptions(), context.tile, "y_scale") == "log";
  look.y_limits = typedLimits(context.tile, look.y_logarithmic);
  if (!look.y_logarithmic) look.y_include = {0};
  return makePlot(context, look);
}

}  // namespace

ViewKind attentionRowView() {
  ViewKind view =
      curveViewKind(ownOptions(), {"attention_row", {"One query", "单个查询"}, CurveKind::Abscissa::key, rowPlot});
  view.request = request;
  view.of_one_head = true;
  view.given_place = 5;
  std::erase_if(view.options, [](const ParamSpec& spec) { return spec.key == "head"; });  // it follows the chosen one
  return view;
}

}  // namespace posiscope::ui

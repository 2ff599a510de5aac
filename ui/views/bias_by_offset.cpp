// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The bias of every head over the offset: as curves, and as a map of heads × offsets.
#include "ui/views/curve_options.h"
#include "ui/views/curve_view.h"
#include "ui/views/view_kinds.h"
#include "ui/views/map_options.h"
#include "ui/views/map_scene.h"
#include "ui/views/map_view.h"

#include <utility>

namespace posiscope::ui {
namespace {

const std::vector<ParamSpec>& curveOptions() {
  static const std::vector<ParamSpec> specs{scaleOption("x_scale", {"offset axis", "偏移轴"}, true)};
  return specs;
}

bool keysAhead(const TileState& tile) {
  const auto found = tile.options.find("negative");
  const auto* on = found == tile.options.end() ? nullptr : std::get_if<bool>(&found->second);
  return on && *on;
}

Plot biasPlot(const ViewContext& context) {
  CurveLook look;
  // Negative offsets have no logarithm.
  look.x_logarithmic = !keysAhead(context.tile) && chosen(curveOptions(), context.tile, "x_scale") == "log";
  look.y_limits = typedLimits(context.tile, false);
  Plot plot = makePlot(context, look);
  if (!plot.bands.empty())
    plot.notices.push_back({PlotNotice::Kind::note, context.style.text({"band: from the least to the largest bias",
                                                                        "阴影：从最小到最大的偏置"})});
  return plot;
}

const std::vector<ParamSpec>& mapViewOptions() {
  static const std::vector<ParamSpec> specs = [] {
    std::vector<ParamSpec> own =
        schemesOptions("all", {"All schemes side by side, the selected one, or the difference of two.",
                               "并排显示全部方案、只显示所选方案，或显示两者之差。"});
    own.push_back(switchOption(
        "negative", {"keys ahead too", "包括后方的键"},
        {"Also shows negative offsets: keys after the query.", "同时显示负偏移：位于查询之后的键。"}, false));
    return withOwnLimits(withMapOptions(std::move(own)));  // slopes would blank a table that is drawn
  }();
  return specs;
}

MeasureRequest mapRequest(const TileState& tile, const Presentation&, const Experiment&) {
  MeasureRequest request{"bias_by_offset", {}};
  // Not said where it is off, so that curves and map are one question.
  if (keysAhead(tile)) request.options["negative"] = true;
  return request;
}

MapScene scene(const ViewContext& context) {
  MapChoice choice;
  if (chosen(mapViewOptions(), context.tile, "schemes") == "selected") choice.schemes = {context.presentation.selected};
  choice.difference = chosenPair(mapViewOptions(), context);
  return makeMapScene(context, choice);
}

}  // namespace

ViewKind biasByOffsetView() {
  return curveViewKind(curveOptions(),
                       {"bias_by_offset", {"Bias by offset", "按偏移的偏置"}, CurveKind::Abscissa::offset, biasPlot});
}

ViewKind biasMapView() {
  return mapViewKind("bias_map", {"Bias of all heads", "全部头的偏置"}, "bias_by_offset", mapViewOptions(), mapRequest,
                     scene);
}

}  // namespace posiscope::ui

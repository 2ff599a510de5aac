// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_options.h"
#include "ui/views/map_scene.h"
#include "ui/views/map_view.h"
#include "ui/views/view_kinds.h"

#include <algorithm>
#include <utility>

namespace posiscope::ui {
namespace {

const std::vector<ParamSpec>& options() {
  static const std::vector<ParamSpec> specs = [] {
    std::vector<ParamSpec> own =
        schemesOptions("all", {"All schemes side by side, the selected one large, or the difference of two.",
                               "并排显示全部方案、放大显示所选方案，或显示两者之差。"});
    own.push_back(choiceOption("axis", {"over", "横跨"},
                               {"The tokens as they stand, or the positions on one axis where tokens have several; all "
                                "axes side by side.",
                                "按词元的先后，或（当词元有多个位置时）按某一个轴上的位置；也可并排显示所有轴。"},
                               {{"token", {"tokens", "词元"}},
                                {"time", {"time", "时间"}},
                                {"height", {"height", "高"}},
                                {"width", {"width", "宽"}},
                                {"each", {"each axis", "每个轴"}}}));
    own.push_back(switchOption("wrapped", {"within one turn", "只看一圈之内"},
                               {"Angles from 0 to 2π; otherwise as far as the pair has turned altogether.",
                                "角度取 0 到 2π；否则显示累计转过的角度。"},
                               true));
    return withMapOptions(std::move(own));
  }();
  return specs;
}

MeasureRequest request(const TileState& tile, const Presentation& presentation, const Experiment& experiment) {
  return {"angle_map", {{"head", shownHead(presentation, experiment)}, {"wrapped", isOn(options(), tile, "wrapped")}}};
}

/// Pairs that do not read the axis of a map are blank: their angle of 0 says nothing.
void blankIdlePairs(MapPanel& panel) {
  if (!panel.map) return;
  const auto reads = std::ranges::find(panel.dataset->curves, panel.map->key, &Curve::key);
  if (reads == panel.dataset->curves.end()) return;
  panel.look.masked = [dataset = panel.dataset, &y = reads->y](std::int64_t, std::int64_t pair) {
    return y[static_cast<std::size_t>(pair)] == 0;
  };
}

MapScene scene(const ViewContext& context) {
  const std::string axis = chosen(options(), context.tile, "axis");
  MapChoice choice;
  if (chosen(options(), context.tile, "schemes") == "selected") choice.schemes = {context.presentation.selected};
  choice.difference = chosenPair(options(), context);
  choice.part = axis;
  choice.all_heads = axis == "each";
  MapScene scene = makeMapScene(context, choice);
  scene.legend = choice.all_heads;
  // Between two angles there is no mean: half of 0 and 2π would be π.
  if (isOn(options(), context.tile, "wrapped") && scene.reduction == Reduction::mean)
    scene.reduction = Reduction::nearest;
  for (MapPanel& panel : scene.panels) {
    blankIdlePairs(panel);
    panel.look.reduction = scene.reduction;
    if (choice.all_heads && panel.map) panel.caption = scene.style.text(panel.map->label);
  }
  return scene;
}

}  // namespace

/// The angle of each pair: position × pair, in cyclic colours.
ViewKind angleMapView() {
  return mapViewKind("angle_map", {"Angle map", "角度图"}, "angle_map", options(), request, scene);
}

}  // namespace posiscope::ui

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/list.h"
#include "ui/views/map_options.h"
#include "ui/views/map_scene.h"
#include "ui/views/map_view.h"
#include "ui/views/view_kinds.h"

#include <utility>

namespace posiscope::ui {
namespace {

const ParamSpec& shiftSpec() { return *findParam(measures::find("shift_matrix")->options, "shift"); }

const std::vector<ParamSpec>& options() {
  static const std::vector<ParamSpec> specs = [] {
    std::vector<ParamSpec> own =
        schemesOptions("all", {"All schemes side by side, the selected one large, or the difference of two.",
                               "并排显示全部方案、放大显示所选方案，或显示两者之差。"});
    own.push_back(shiftSpec());
    return withOwnLimits(withMapOptions(std::move(own)));  // a fit to noise would blank the others
  }();
  return specs;
}

MeasureRequest request(const TileState& tile, const Presentation& presentation, const Experiment& experiment) {
  return {"shift_matrix", {{"head", shownHead(presentation, experiment)}, {"shift", chosenNumber(options(), tile, "shift")}}};
}

MapScene scene(const ViewContext& context) {
  MapChoice choice;
  if (chosen(options(), context.tile, "schemes") == "selected") choice.schemes = {context.presentation.selected};
  choice.difference = chosenPair(options(), context);
  MapScene scene = makeMapScene(context, choice);
  scene.square = true;
  return scene;
}

}  // namespace

/// The matrix that moves every position k tokens on: dimension × dimension, schemes side by side.
ViewKind shiftMatrixView() {
  return mapViewKind("shift_matrix", {"Shift matrix", "平移矩阵"}, "shift_matrix", options(), request, scene);
}

}  // namespace posiscope::ui

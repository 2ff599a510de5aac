// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_options.h"
#include "ui/views/map_scene.h"
#include "ui/views/map_view.h"
#include "ui/views/view_kinds.h"

#include <utility>

namespace posiscope::ui {
namespace {

const std::vector<ParamSpec>& options() {
  static const std::vector<ParamSpec> specs = [] {
    std::vector<ParamSpec> own =
        schemesOptions("all", {"All schemes side by side, the selected one large, or the difference of two.",
                               "并排显示全部方案、放大显示所选方案，或显示两者之差。"});
    own.push_back(
        choiceOption("normalize", {"scale of the products", "点积的归一化"},
                     {"Dot products as they are, divided by both lengths, or by the number of turning dimensions.",
                      "点积原样，或除以两者长度，或除以参与旋转的维度数。"},
                     {{"dot", {"dot product", "点积"}}, {"cosine", {"cosine", "余弦"}}, {"mean", {"mean", "均值"}}}));
    return withMapOptions(std::move(own));
  }();
  return specs;
}

MeasureRequest request(const TileState& tile, const Presentation& presentation, const Experiment& experiment) {
  return {"similarity",
          {{"head", shownHead(presentation, experiment)}, {"normalize", chosen(options(), tile, "normalize")}}};
}

MapScene scene(const ViewContext& context) {
  MapChoice choice;
  if (chosen(options(), context.tile, "schemes") == "selected") choice.schemes = {context.presentation.selected};
  choice.difference = chosenPair(options(), context);
  MapScene scene = makeMapScene(context, choice);
  scene.square = true;
  scene.profiles = true;  // of a lone map, whichever way it came to be alone
  return scene;
}

}  // namespace

/// How alike two positions are: position × position, schemes side by side.
ViewKind similarityView() {
  return mapViewKind("similarity", {"Position similarity", "位置相似度"}, "similarity", options(), request, scene);
}

}  // namespace posiscope::ui

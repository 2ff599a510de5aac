// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_options.h"
#include "ui/views/map_scene.h"
#include "ui/views/map_view.h"
#include "ui/views/map_views.h"

namespace posiscope::ui {
namespace {

const std::vector<ParamSpec>& options() {
  static const std::vector<ParamSpec> specs = withMapOptions({
      choiceOption("schemes", {"schemes", "方案"},
                   {"All schemes side by side, or the selected one large.", "并排显示全部方案，或放大显示所选方案。"},
                   {{"all", {"all", "全部"}}, {"selected", {"selected", "所选"}}}),
      choiceOption("normalize", {"scale of the products", "点积的归一化"},
                   {"Dot products as they are, divided by both lengths, or by the number of turning dimensions.",
                    "点积原样，或除以两者长度，或除以参与旋转的维度数。"},
                   {{"dot", {"dot product", "点积"}}, {"cosine", {"cosine", "余弦"}}, {"mean", {"mean", "均值"}}}),
  });
  return specs;
}

MeasureRequest request(const TileState& tile, const Presentation& presentation, const Experiment& experiment) {
  return {"similarity",
          {{"head", shownHead(presentation, experiment)}, {"normalize", chosen(options(), tile, "normalize")}}};
}

MapScene scene(const ViewContext& context) {
  MapChoice choice;
  if (chosen(options(), context.tile, "schemes") == "selected") choice.schemes = {context.presentation.selected};
  MapScene scene = makeMapScene(context, choice);
  scene.square = true;
  scene.profiles = choice.schemes.size() == 1;
  return scene;
}

}  // namespace

/// How alike two positions are: position × position, schemes side by side.
ViewKind similarityView() {
  return mapViewKind("similarity", {"Position similarity", "位置相似度"}, "similarity", options(), request, scene);
}

}  // namespace posiscope::ui

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
        schemesOptions("selected", {"The selected scheme large, all side by side, or the difference of two.",
                                    "放大显示所选方案、并排显示全部方案，或显示两者之差。"});
    own.push_back(choiceOption("part", {"rotary part", "旋转部分"},
                               {"For rotary schemes: the cosine or the sine of each pair's angle.",
                                "对旋转类方案：显示每个维度对角度的余弦或正弦。"},
                               {{"cos", {"cosine", "余弦"}}, {"sin", {"sine", "正弦"}}}));
    own.push_back(switchOption("profiles", {"profiles", "剖面曲线"},
                               {"Curves of the row and the column under the pointer, where there is room.",
                                "空间足够时，显示指针所在行与列的曲线。"},
                               true));
    return withMapOptions(std::move(own));
  }();
  return specs;
}

MeasureRequest request(const TileState&, const Presentation& presentation, const Experiment& experiment) {
  return {"position_table", {{"head", shownHead(presentation, experiment)}}};
}

MapScene scene(const ViewContext& context) {
  MapChoice choice;
  choice.part = chosen(options(), context.tile, "part");
  if (chosen(options(), context.tile, "schemes") == "selected") choice.schemes = {context.presentation.selected};
  choice.difference = chosenPair(options(), context);
  MapScene scene = makeMapScene(context, choice);
  scene.profiles = isOn(options(), context.tile, "profiles");
  return scene;
}

}  // namespace

/// What each position receives, as a heatmap: position × dimension or pair, or head × offset for a bias.
ViewKind positionTableView() {
  return mapViewKind("position_table", {"Encoding table", "编码表"}, "position_table", options(), request, scene);
}

}  // namespace posiscope::ui

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
  });
  return specs;
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
  return mapViewKind("similarity", {"Position similarity", "位置相似度"}, "similarity", options(), {}, scene);
}

}  // namespace posiscope::ui

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
  static const std::vector<ParamSpec> specs =
      withMapOptions({oneOrAllSchemes("all"), measureOption("border_effect", "picture")});
  return specs;
}

MeasureRequest request(const TileState& tile, const Presentation&, const Experiment&) {
  return {"border_effect", {{"picture", chosen(options(), tile, "picture")}}};
}

MapScene scene(const ViewContext& context) {
  MapChoice choice;
  if (chosen(options(), context.tile, "schemes") == "selected") choice.schemes = {context.presentation.selected};
  MapScene scene = makeMapScene(context, choice);
  keepSides(scene);
  return scene;
}

}  // namespace

/// How far the border of an image reaches into its patches, and below it the mean by depth.
ViewKind borderEffectView() {
  ViewKind kind =
      mapViewKind("border_effect", {"Border effect", "边界效应"}, "border_effect", options(), request, scene);
  kind.shows_pinned = true;  // in the curves
  return kind;
}

}  // namespace posiscope::ui

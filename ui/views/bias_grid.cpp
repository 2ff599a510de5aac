// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_options.h"
#include "ui/views/map_scene.h"
#include "ui/views/map_view.h"
#include "ui/views/view_kinds.h"

#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace posiscope::ui {
namespace {

const std::vector<ParamSpec>& options() {
  static const std::vector<ParamSpec> specs = withMapOptions({
      oneOrAllSchemes("all"),
      choiceOption("heads", {"heads", "注意力头"},
                   {"The chosen head, the table beside its resized form, or all heads as small maps in the form that "
                    "is in use; a click on one chooses it.",
                    "显示所选头，原表与缩放后的表并列；或以小图按所用形式显示全部头，点击小图即选中该头。"},
                   {{"one", {"one", "一个"}}, {"all", {"all", "全部"}}}),
      measureOption("bias_grid", "target_height"),
      measureOption("bias_grid", "target_width"),
  });
  return specs;
}

bool allHeads(const TileState& tile) { return chosen(options(), tile, "heads") == "all"; }

MeasureRequest request(const TileState& tile, const Presentation& presentation, const Experiment& experiment) {
  MeasureRequest request{"bias_grid", {}};
  if (!allHeads(tile)) request.options["heads"] = std::vector<double>{shownHead(presentation, experiment)};
  for (const char* key : {"target_height", "target_width"}) request.options[key] = chosenNumber(options(), tile, key);
  return request;
}

bool isOf(const MapPanel& panel, std::string_view form) { return panel.map && panel.map->key.starts_with(form); }

/// All heads are shown in one form: as attention reads them, which is the resized one where there is one.
void dropTrained(MapScene& scene) {
  std::set<int> resized;
  for (const MapPanel& panel : scene.panels)
    if (isOf(panel, "resized")) resized.insert(panel.scheme);
  std::erase_if(scene.panels,
                [&](const MapPanel& panel) { return isOf(panel, "trained") && resized.contains(panel.scheme); });
}

/// The maps of several schemes fill the room side by side, each with the name of its scheme.
void nameSchemes(MapScene& scene) {
  std::map<int, int> maps;
  for (const MapPanel& panel : scene.panels) ++maps[panel.scheme];
  for (MapPanel& panel : scene.panels)
    panel.caption = maps[panel.scheme] > 1 ? panel.name + QStringLiteral(" · ") + panel.caption : panel.name;
  scene.captioned = true;
}

MapScene scene(const ViewContext& context) {
  MapChoice choice;
  choice.all_heads = allHeads(context.tile);
  choice.all_parts = !choice.all_heads;
  if (chosen(options(), context.tile, "schemes") == "selected") choice.schemes = {context.presentation.selected};
  MapScene scene = makeMapScene(context, choice);
  if (choice.all_heads) dropTrained(scene);
  keepSides(scene);
  // The heads of a scheme start a row of their own, and a lone scheme needs no name.
  scene.legend = scene.first() && (choice.all_heads || scene.lone);
  if (!choice.all_heads && !scene.lone) nameSchemes(scene);
  return scene;
}

}  // namespace

/// A bias table of patches as the picture it is, and as it is resized for another grid.
ViewKind biasGridView() {
  return mapViewKind("bias_grid", {"Bias by patch offset", "按图块偏移的偏置"}, "bias_grid", options(), request, scene);
}

}  // namespace posiscope::ui

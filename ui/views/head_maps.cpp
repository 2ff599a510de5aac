// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/head_answer.h"
#include "ui/views/map_options.h"
#include "ui/views/map_view.h"
#include "ui/views/view_kinds.h"

#include <algorithm>
#include <utility>

namespace posiscope::ui {
namespace {

constexpr double usual_tokens = 256;  // all heads together must fit into memory

const std::vector<ParamSpec>& options() {
  static const std::vector<ParamSpec> specs = [] {
    std::vector<ParamSpec> own{oneOrAllSchemes("selected")};
    const std::vector<ParamSpec> measure = headOptions(usual_tokens);
    own.insert(own.end(), measure.begin(), measure.end());
    for (ParamSpec& spec : own)
      if (spec.key == "tokens") spec.maximum = spec.slider_maximum = 2 * usual_tokens;
    return withMapOptions(std::move(own));
  }();
  return specs;
}

MeasureRequest request(const TileState& tile, const Presentation&, const Experiment& experiment) {
  MeasureRequest request = headRequest("heads", options(), tile, experiment);
  request.options["maps"] = true;
  return request;
}

/// Number and kind above each map, the evidence in its tooltip.
void tellKinds(MapScene& scene, int chosen_head) {
  for (MapPanel& panel : scene.panels) {
    if (!panel.map) continue;
    panel.outlined = panel.head == chosen_head;
    panel.kind = kindOf(*panel.dataset, panel.head);
    if (!panel.kind) continue;
    panel.caption += QStringLiteral(" · ") + scene.style.text(heads::kindName(*panel.kind));
    panel.sentence = scene.style.text({"%1 · head %2", "%1 · 头 %2"}).arg(panel.name).arg(panel.head) +
                     QLatin1Char('\n') + evidenceOf(*panel.dataset, panel.head, scene.style);
    scene.kinds.push_back(*panel.kind);
  }
  std::ranges::sort(scene.kinds);
  scene.kinds.erase(std::unique(scene.kinds.begin(), scene.kinds.end()), scene.kinds.end());
}

MapScene scene(const ViewContext& context) {
  MapChoice choice;
  choice.all_heads = true;
  choice.mask = true;
  if (chosen(options(), context.tile, "schemes") == "selected") choice.schemes = {context.presentation.selected};
  MapScene scene = makeMapScene(context, choice);
  scene.square = true;
  scene.legend = true;
  scene.captioned = true;
  scene.strip.clear();  // the figures of the heads are curves over the heads, not over offsets
  tellKinds(scene, static_cast<int>(shownHead(context.presentation, context.experiment)));
  return scene;
}

}  // namespace

/// The weights of every head as small maps, each in the colour of its kind; a click chooses the head.
ViewKind headMapsView() {
  ViewKind kind = mapViewKind("head_maps", {"Maps of all heads", "全部头的权重图"}, "heads", options(), request, scene);
  kind.given_place = 6;
  return kind;
}

}  // namespace posiscope::ui

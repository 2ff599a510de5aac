// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The attention of every head of every layer as small maps: one row for each layer, of the selected scheme.
#include "ui/views/map_mask.h"
#include "ui/views/map_options.h"
#include "ui/views/map_scene.h"
#include "ui/views/map_view.h"
#include "ui/views/view_kinds.h"

#include <algorithm>

namespace posiscope::ui {
namespace {

// A small map has few pixels, and a thousand of them are held at once.
constexpr double usual_tokens = 48;
constexpr double most_tokens = 256;

const std::vector<ParamSpec>& options() {
  static const std::vector<ParamSpec> specs = [] {
    ParamSpec tokens = tokensOption(usual_tokens);
    tokens.maximum = tokens.slider_maximum = most_tokens;
    return withMapOptions({tokens});
  }();
  return specs;
}

MeasureRequest request(const TileState& tile, const Presentation&, const Experiment& experiment) {
  const double tokens =
      std::min(static_cast<double>(experiment.shape.seq_len), chosenNumber(options(), tile, "tokens"));
  return {"attention_overview", {{"tokens", tokens}}};
}

/// The maps come layer by layer. Where there are several, a caption names both, "2 · 3", and each has what its own
/// layer may look at.
void nameLayers(MapScene& scene, Question question) {
  const auto heads = static_cast<int>(question.shape.num_heads);
  const bool several = std::ssize(scene.panels) > heads;
  int place = 0;
  for (MapPanel& panel : scene.panels) {
    panel.layer = place++ / heads;
    if (!several) continue;
    panel.caption = QStringLiteral("%1 · %2").arg(panel.layer).arg(panel.head);
    question.shape.layer = panel.layer;
    panel.look.masked = forbidden(question, *panel.map);
  }
  if (!several) return;
  const QString key = scene.style.text({"above each map: layer · head", "图上方：层 · 头"});
  scene.scope = scene.scope.isEmpty() ? key : key + QStringLiteral(" · ") + scene.scope;
}

MapScene scene(const ViewContext& context) {
  MapChoice choice;
  choice.all_heads = true;
  choice.mask = true;
  choice.schemes = {context.presentation.selected};
  MapScene scene = makeMapScene(context, choice);
  scene.square = true;
  scene.legend = scene.first() != nullptr;
  scene.strip.clear();
  if (scene.legend) nameLayers(scene, context.answers()[static_cast<std::size_t>(scene.first()->scheme)].question);
  return scene;
}

}  // namespace

/// A click chooses the layer and the head that the other views show.
ViewKind attentionOverviewView() {
  ViewKind kind = mapViewKind("attention_overview", {"All layers and heads", "全部层与头"}, "attention_overview",
                              options(), request, scene);
  kind.of_all_layers = true;
  kind.given_place = 4;
  return kind;
}

}  // namespace posiscope::ui

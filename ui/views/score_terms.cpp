// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_options.h"
#include "ui/views/map_scene.h"
#include "ui/views/map_view.h"
#include "ui/views/map_views.h"

#include <algorithm>
#include <utility>

namespace posiscope::ui {
namespace {

const std::vector<ParamSpec>& options() {
  static const std::vector<ParamSpec> specs = withMapOptions({oneOrAllSchemes(), tokensOption(512)});
  return specs;
}

MeasureRequest request(const TileState& tile, const Presentation& presentation, const Experiment& experiment) {
  const double tokens =
      std::min(static_cast<double>(experiment.shape.seq_len), chosenNumber(options(), tile, "tokens"));
  return {"score_terms", {{"head", shownHead(presentation, experiment)}, {"tokens", tokens}}};
}

MapScene scene(const ViewContext& context) {
  MapChoice choice;
  choice.all_parts = true;
  choice.mask = true;
  if (chosen(options(), context.tile, "schemes") == "selected") choice.schemes = {context.presentation.selected};
  MapScene scene = makeMapScene(context, choice);
  scene.square = true;
  scene.legend = scene.first() != nullptr;
  return scene;
}

}  // namespace

/// The logits of one head taken apart: every term as a map, their sum last, all on one scale.
ViewKind scoreTermsView() {
  return mapViewKind("score_terms", {"Terms of the logits", "logits 的各项"}, "score_terms", options(), request, scene);
}

}  // namespace posiscope::ui

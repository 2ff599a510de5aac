// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The views of one head taken apart: every map of its measure beside the others, where the mask allows.
#include "ui/views/map_options.h"
#include "ui/views/map_view.h"
#include "ui/views/view_kinds.h"

#include <algorithm>
#include <utility>

namespace posiscope::ui {
namespace {

const std::vector<ParamSpec>& options() {
  static const std::vector<ParamSpec> specs = withMapOptions({oneOrAllSchemes(), tokensOption(512)});
  return specs;
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

ViewKind headParts(std::string id, Text title) {
  const auto request = [id](const TileState& tile, const Presentation& presentation, const Experiment& experiment) {
    const double tokens =
        std::min(static_cast<double>(experiment.shape.seq_len), chosenNumber(options(), tile, "tokens"));
    return MeasureRequest{id, {{"head", shownHead(presentation, experiment)}, {"tokens", tokens}}};
  };
  ViewKind view = mapViewKind(id, std::move(title), id, options(), request, scene);
  view.of_one_head = true;
  return view;
}

}  // namespace

/// What a head counts or forgets, from the gates to the logits.
ViewKind gatesView() { return headParts("gates", {"Gates", "门控值"}); }

/// The logits of one head taken apart: every term as a map, their sum last, all on one scale.
ViewKind scoreTermsView() { return headParts("score_terms", {"Terms of the logits", "logits 的各项"}); }

}  // namespace posiscope::ui

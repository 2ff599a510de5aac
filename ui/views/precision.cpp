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
    for (const char* key : {"number_format", "rounding", "tolerance"}) own.push_back(measureOption("precision", key));
    return withMapOptions(std::move(own));
  }();
  return specs;
}

MeasureRequest request(const TileState& tile, const Presentation& presentation, const Experiment& experiment) {
  MeasureRequest request{"precision", {{"head", shownHead(presentation, experiment)}}};
  for (const char* key : {"number_format", "rounding"}) request.options[key] = chosen(options(), tile, key);
  request.options["tolerance"] = chosenNumber(options(), tile, "tolerance");
  return request;
}

MapScene scene(const ViewContext& context) {
  MapChoice choice;
  if (chosen(options(), context.tile, "schemes") == "selected") choice.schemes = {context.presentation.selected};
  choice.difference = chosenPair(options(), context);
  return makeMapScene(context, choice);
}

}  // namespace

/// What few bits do to the angles: position × pair.
ViewKind precisionView() {
  return mapViewKind("precision", {"Precision", "数值精度"}, "precision", options(), request, scene);
}

}  // namespace posiscope::ui

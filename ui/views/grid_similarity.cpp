// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/grid.h"
#include "ui/views/map_options.h"
#include "ui/views/map_scene.h"
#include "ui/views/map_view.h"
#include "ui/views/view_kinds.h"

#include <algorithm>
#include <utility>

namespace posiscope::ui {
namespace {

const std::vector<ParamSpec>& options() {
  static const std::vector<ParamSpec> specs = [] {
    std::vector<ParamSpec> own =
        schemesOptions("all", {"All schemes side by side, the selected one large, or the difference of two.",
                               "并排显示全部方案、放大显示所选方案，或显示两者之差。"});
    for (const char* key : {"row", "column", "normalize", "prefix_tokens"})
      own.push_back(measureOption("grid_similarity", key));
    return withMapOptions(std::move(own));
  }();
  return specs;
}

/// The chosen row or column of this grid; a smaller grid than the one it was chosen on has its last one.
double placeIn(const TileState& tile, const char* key, std::int64_t side) {
  return std::min(chosenNumber(options(), tile, key), static_cast<double>(side - 1));
}

MeasureRequest request(const TileState& tile, const Presentation& presentation, const Experiment& experiment) {
  MeasureRequest request{"grid_similarity", {{"head", shownHead(presentation, experiment)}}};
  request.options["normalize"] = chosen(options(), tile, "normalize");
  const double prefix = chosenNumber(options(), tile, "prefix_tokens");
  request.options["prefix_tokens"] = prefix;
  // Without a grid that fits, the measure says what is wrong.
  const Expected<Grid> grid = gridOf("", experiment.shape, static_cast<std::int64_t>(prefix));
  request.options["row"] = grid ? placeIn(tile, "row", grid->height) : chosenNumber(options(), tile, "row");
  request.options["column"] = grid ? placeIn(tile, "column", grid->width) : chosenNumber(options(), tile, "column");
  return request;
}

/// The patch the pictures belong to: that of the question they answer.
void outlineChosen(MapScene& scene, const ViewContext& context) {
  const MapPanel* first = scene.first();
  const std::vector<Answer>& answers = context.answers();
  if (!first || answers.empty() || first->map->rows.symbol != "r") return;
  const Field& field = *first->map->field;
  const ParamValues& asked = answers.front().question.options;
  const auto place = [&asked](const char* key, std::int64_t side) {
    const auto given = asked.find(key);
    const double value = given == asked.end() ? -1 : std::get<double>(given->second);
    return value < 0 ? side / 2 : std::min(static_cast<std::int64_t>(value), side - 1);
  };
  scene.chosen = ChosenCell{"row", "column", place("row", field.rows()), place("column", field.cols())};
}

MapScene scene(const ViewContext& context) {
  MapChoice choice;
  if (chosen(options(), context.tile, "schemes") == "selected") choice.schemes = {context.presentation.selected};
  choice.difference = chosenPair(options(), context);
  MapScene scene = makeMapScene(context, choice);
  keepSides(scene);
  outlineChosen(scene, context);
  return scene;
}

}  // namespace

/// How alike all patches of an image are to one of them, laid out as the image; a click chooses the patch.
ViewKind gridSimilarityView() {
  return mapViewKind("grid_similarity", {"Similarity on the grid", "网格相似度"}, "grid_similarity", options(), request,
                     scene);
}

}  // namespace posiscope::ui

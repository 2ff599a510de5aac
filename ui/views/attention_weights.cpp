// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_options.h"
#include "ui/views/map_scene.h"
#include "ui/views/map_view.h"
#include "ui/views/view_kinds.h"

#include <algorithm>

namespace posiscope::ui {
namespace {

// More tokens than a tile has pixels would only be averaged away, and all of a sequence that is longer than what can be
// stored are shown row by row; all heads together must fit into memory.
constexpr double usual_tokens = 512;
constexpr double most_stored_tokens = 4096;
constexpr double most_tokens_of_all_heads = 256;

/// The schemes' options after the first one, the heads.
std::vector<ParamSpec> withSchemes(std::vector<ParamSpec> own) {
  const std::vector<ParamSpec> schemes =
      schemesOptions("all", {"All schemes side by side, the selected one, or the difference of two.",
                             "并排显示全部方案、只显示所选方案，或显示两者之差。"});
  own.insert(own.begin() + 1, schemes.begin(), schemes.end());
  return own;
}

ParamSpec shownTokensOption() {
  ParamSpec spec = tokensOption(0, {"How many of the first tokens are shown: automatically 512, but all of more than "
                                    "4096, whose rows are worked out where they are looked at. All heads together at "
                                    "most 256.",
                                    "显示前多少个词元：自动为 512 个；超过 4096 个时显示全部，各行在查看之处计算。"
                                    "显示全部头时最多 256 个。"});
  spec.minimum = spec.slider_minimum = 0;
  spec.maximum = 1 << 24;
  spec.logarithmic = false;
  spec.unset = {"automatic", "自动"};
  return spec;
}

const std::vector<ParamSpec>& options() {
  static const std::vector<ParamSpec> specs = withMapOptions(withSchemes({
      choiceOption("heads", {"heads", "注意力头"},
                   {"The chosen head of each scheme, or all heads as small maps; a click on one chooses it.",
                    "显示各方案的所选头，或以小图显示全部头；点击小图即选中该头。"},
                   {{"one", {"one", "一个"}}, {"all", {"all", "全部"}}}),
      choiceOption(
          "quantity", {"quantity", "显示量"},
          {"Weights after mask and softmax, or logits before them.", "掩码与 softmax 之后的权重，或之前的 logits。"},
          {{"weights", {"weights", "权重"}}, {"logits", {"logits", "logits"}}}),
      measureOption("attention_weights", "part"),
      switchOption("strip", {"mean weight by offset", "按偏移的平均权重"},
                   {"A curve below the maps: the mean weight at each distance.", "图下方的曲线：各距离上的平均权重。"},
                   true),
      shownTokensOption(),
  }));
  return specs;
}

bool allHeads(const TileState& tile) { return chosen(options(), tile, "heads") == "all"; }

/// How many of the first tokens are asked for.
double wantedTokens(const TileState& tile, const Experiment& experiment) {
  const auto all = static_cast<double>(experiment.shape.seq_len);
  double wanted = chosenNumber(options(), tile, "tokens");
  if (wanted == 0) wanted = all > most_stored_tokens ? all : usual_tokens;
  return std::min({all, wanted, allHeads(tile) ? most_tokens_of_all_heads : all});
}

MeasureRequest request(const TileState& tile, const Presentation& presentation, const Experiment& experiment) {
  const bool all = allHeads(tile);
  MeasureRequest request{"attention_weights", {}};
  const double tokens = wantedTokens(tile, experiment);
  request.options["tokens"] = tokens;
  if (tokens > most_stored_tokens) request.options["long_maps"] = std::string("streamed");
  if (!all) request.options["heads"] = std::vector<double>{shownHead(presentation, experiment)};
  request.options["quantity"] = chosen(options(), tile, "quantity");
  request.options["part"] = chosen(options(), tile, "part");
  return request;
}

/// The rows of queries that may look at no key are of one colour, like those of keys without weight: it is said.
void addEmptyRows(MapScene& scene) {
  for (const MapPanel& panel : scene.panels) {
    if (!panel.map) continue;
    const auto empty = std::ranges::find(panel.dataset->metrics, "empty_rows", &Metric::key);
    if (empty == panel.dataset->metrics.end() || empty->value == 0) continue;
    const Text text{"%1 of %2 queries may look at no key", "%2 个查询中有 %1 个看不到任何键"};
    const QString all = numberText(static_cast<double>(panel.map->field->rows()), 15);
    const QString finding = scene.style.text(text).arg(numberText(empty->value, 15), all);
    if (!scene.findings.contains(finding)) scene.findings << finding;
  }
}

MapScene scene(const ViewContext& context) {
  MapChoice choice;
  choice.all_heads = allHeads(context.tile);
  choice.head = static_cast<int>(shownHead(context.presentation, context.experiment));
  choice.mask = true;
  if (chosen(options(), context.tile, "schemes") == "selected") choice.schemes = {context.presentation.selected};
  choice.difference = chosenPair(options(), context);
  MapScene scene = makeMapScene(context, choice);
  scene.square = true;
  scene.legend = choice.all_heads;
  addEmptyRows(scene);
  if (choice.all_heads || !isOn(options(), context.tile, "strip")) {
    scene.strip.clear();
  } else if (scene.first() && scene.strip.empty() &&
             wantedTokens(context.tile, context.experiment) > most_stored_tokens &&
             chosen(options(), context.tile, "quantity") == "weights") {
    const Text why{"no curve by offset: the rows of more than %1 tokens are worked out only where they are looked at",
                   "没有按偏移的曲线：超过 %1 个词元时，各行只在查看之处计算"};
    scene.findings << scene.style.text(why).arg(numberText(most_stored_tokens));
  }
  return scene;
}

}  // namespace

/// Attention weights, query × key, schemes side by side; below them the mean weight by offset.
ViewKind attentionWeightsView() {
  ViewKind kind =
      mapViewKind("attention_weights", {"Attention", "注意力权重"}, "attention_weights", options(), request, scene);
  kind.shows_pinned = true;  // in the curves
  kind.given_place = 1;
  return kind;
}

}  // namespace posiscope::ui

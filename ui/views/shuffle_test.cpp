// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What position decides: the tokens change places, and the map shows whose weights did not simply move with them.
#include "ui/views/map_options.h"
#include "ui/views/map_view.h"
#include "ui/views/view_kinds.h"

#include <algorithm>
#include <QRegularExpression>

namespace posiscope::ui {
namespace {

const std::vector<ParamSpec>& options() {
  static const std::vector<ParamSpec> specs =
      withMapOptions({oneOrAllSchemes(), tokensOption(256), measureOption("shuffle_test", "shuffle")});
  return specs;
}

MeasureRequest request(const TileState& tile, const Presentation& presentation, const Experiment& experiment) {
  const double tokens = chosenNumber(options(), tile, "tokens");
  return {"shuffle_test",
          {{"head", shownHead(presentation, experiment)},
           {"tokens", std::min(static_cast<double>(experiment.shape.seq_len), tokens)},
           {"shuffle", chosenNumber(options(), tile, "shuffle")}}};
}

/// "causal mask: ≤ 0.31": the rule of the map, and the largest change among all heads under it.
void tellLargest(MapScene& scene) {
  static const QRegularExpression comma(QStringLiteral(", |，"));
  for (MapPanel& panel : scene.panels) {
    if (!panel.map) continue;
    const auto largest = std::ranges::find(panel.dataset->metrics, panel.map->key, &Metric::key);
    if (largest == panel.dataset->metrics.end()) continue;
    const QString rule = panel.caption.section(comma, 0, 0);
    const QString number = numberText(largest->value, 3);
    panel.caption = scene.style.text({"%1: ≤ %2", "%1：≤ %2"}).arg(rule, number);
    panel.brief = QStringLiteral("%1 · ≤ %2").arg(rule, number);
  }
}

MapScene scene(const ViewContext& context) {
  MapChoice choice;
  choice.all_parts = true;
  const bool selected = chosen(options(), context.tile, "schemes") == "selected";
  if (selected) choice.schemes = {context.presentation.selected};
  MapScene scene = makeMapScene(context, choice);
  scene.square = true;
  scene.legend = scene.first() != nullptr;
  tellLargest(scene);
  const MapPanel* first = scene.first();
  if (!first) return scene;
  scene.findings
      << scene.style.text({"drawn: head %1, numbers: all heads", "图：头 %1；数值：所有头"}).arg(first->head);
  // Those of several schemes would be a page.
  if (selected)
    for (const Remark& remark : first->dataset->remarks) scene.findings << scene.style.text(remark.sentence);
  return scene;
}

}  // namespace

ViewKind shuffleTestView() {
  ViewKind view = mapViewKind("shuffle_test", {"Shuffle test", "打乱测试"}, "shuffle_test", options(), request, scene);
  view.of_one_head = true;
  return view;
}

}  // namespace posiscope::ui

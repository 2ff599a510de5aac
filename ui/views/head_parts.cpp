// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The views of one head taken apart: every map of its measure beside the others, where the mask allows.
#include "ui/views/map_caption.h"
#include "ui/views/map_options.h"
#include "ui/views/map_view.h"
#include "ui/views/view_kinds.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <QStringList>
#include <string>
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

std::optional<double> metric(const Dataset& dataset, const std::string& key) {
  const auto found = std::ranges::find(dataset.metrics, key, &Metric::key);
  if (found == dataset.metrics.end()) return std::nullopt;
  return found->value;
}

/// Above each term how much of what tells the keys apart is its; that and its size in the tooltip.
MapScene termScene(const ViewContext& context) {
  MapScene terms = scene(context);
  for (MapPanel& panel : terms.panels) {
    if (!panel.map) continue;
    QStringList figures{panel.caption};
    if (const auto share = metric(*panel.dataset, "share " + panel.map->key)) {
      const QString percent = numberText(std::round(*share * 100));
      panel.brief = QStringLiteral("%1 · %2 %").arg(withoutExplanation(panel.caption), percent);
      figures << terms.style.text({"%1 % of the variance", "占方差 %1 %"}).arg(percent);
      panel.caption = figures.join(QStringLiteral(" · "));
    }
    if (const auto size = metric(*panel.dataset, "rms " + panel.map->key))
      figures << terms.style.text({"root mean square %1", "均方根 %1"}).arg(numberText(*size, 3));
    panel.sentence = figures.join(QLatin1Char('\n'));
  }
  return terms;
}

ViewKind headParts(std::string id, Text title, MapSceneMaker maker) {
  const auto request = [id](const TileState& tile, const Presentation& presentation, const Experiment& experiment) {
    const double tokens =
        std::min(static_cast<double>(experiment.shape.seq_len), chosenNumber(options(), tile, "tokens"));
    return MeasureRequest{id, {{"head", shownHead(presentation, experiment)}, {"tokens", tokens}}};
  };
  ViewKind view = mapViewKind(id, std::move(title), id, options(), request, std::move(maker));
  view.of_one_head = true;
  return view;
}

}  // namespace

/// What a head counts or forgets, from the gates to the logits.
ViewKind gatesView() { return headParts("gates", {"Gates", "门控值"}, scene); }

/// The logits of one head taken apart: every term as a map, their sum last, all on one scale.
ViewKind scoreTermsView() { return headParts("score_terms", {"Terms of the logits", "logits 的各项"}, termScene); }

}  // namespace posiscope::ui

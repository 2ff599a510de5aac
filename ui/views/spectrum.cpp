// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Wavelength of each pair, or how often it turns within the training length. What never completes a turn in training
// meets angles it has not seen as soon as the context grows.
#include "ui/views/curve_options.h"
#include "ui/views/curve_view.h"
#include "ui/views/view_kinds.h"

#include <limits>

namespace posiscope::ui {
namespace {

bool showsTurns(const TileState& tile) {
  const auto found = tile.options.find("quantity");
  const auto* key = found == tile.options.end() ? nullptr : std::get_if<std::string>(&found->second);
  return key && *key == "turns";
}

Plot spectrumPlot(const ViewContext& context) {
  CurveLook look;
  look.y_logarithmic = true;
  look.y_limits = typedLimits(context.tile, true);
  const bool turns = showsTurns(context.tile);
  const double trained = context.answers().empty() ? 0 : context.answers().front().question.train_length;
  if (turns)
    look.y_include = {1};
  else if (trained > 0)
    look.y_include = {trained};
  Plot plot = makePlot(context, look);
  if (trained <= 0) return plot;
  PlotMark shade;
  shade.label = context.style.text({"never completes a turn in training", "训练中转不满一圈"});
  shade.vertical = false;
  shade.warm = true;
  shade.from = turns ? 0 : trained;
  shade.to = turns ? 1 : std::numeric_limits<double>::infinity();
  plot.marks.insert(plot.marks.begin(), shade);
  return plot;
}

}  // namespace

ViewKind spectrumView() {
  return curveViewKind({}, {"spectrum", {"Frequency spectrum", "频谱"}, CurveKind::Abscissa::pair, spectrumPlot});
}

}  // namespace posiscope::ui

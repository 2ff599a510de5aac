// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Wavelength of each pair, or how often it turns within the training length. What never completes a turn in training
// meets angles it has not seen as soon as the context grows: the measure says where that begins, and it is shaded.
#include "ui/views/curve_options.h"
#include "ui/views/curve_view.h"
#include "ui/views/view_kinds.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace posiscope::ui {
namespace {

/// The numbers that the automatic limits must contain: where a band or a line across the plot begins or ends.
std::vector<double> endsOf(const ViewContext& context) {
  std::vector<double> ends;
  for (const Answer& answer : context.answers()) {
    if (!answer.dataset || !*answer.dataset) continue;
    for (const Mark& mark : (*answer.dataset)->marks)
      for (const double end : {mark.from, mark.to})
        if (!mark.vertical && end > 0 && std::isfinite(end)) ends.push_back(end);
  }
  return ends;
}

/// Has every scheme that has curves a band from and to the same numbers? One shade cannot tell whose it is.
bool isOfAll(const PlotMark& band, const ViewContext& context) {
  return std::ranges::all_of(context.answers(), [&](const Answer& answer) {
    if (!answer.dataset || !*answer.dataset || (*answer.dataset)->curves.empty()) return true;
    return std::ranges::any_of((*answer.dataset)->marks, [&](const Mark& mark) {
      return context.style.text(mark.label) == band.label && mark.from == band.from && mark.to == band.to;
    });
  });
}

Plot spectrumPlot(const ViewContext& context) {
  CurveLook look;
  look.y_logarithmic = true;
  look.y_limits = typedLimits(context.tile, true);
  look.y_include = endsOf(context);
  Plot plot = makePlot(context, look);
  const auto isBand = [](const PlotMark& mark) { return !mark.vertical && mark.from != mark.to; };
  std::erase_if(plot.marks, [&](const PlotMark& mark) { return isBand(mark) && !isOfAll(mark, context); });
  for (PlotMark& mark : plot.marks) mark.warm = isBand(mark);
  std::ranges::stable_partition(plot.marks, isBand);
  return plot;
}

}  // namespace

ViewKind spectrumView() {
  return curveViewKind({}, {"spectrum", {"Frequency spectrum", "频谱"}, CurveKind::Abscissa::pair, spectrumPlot});
}

}  // namespace posiscope::ui

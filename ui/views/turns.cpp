// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Turns of each pair in this sequence against those in training.
#include "ui/views/curve_options.h"
#include "ui/views/curve_view.h"
#include "ui/views/view_kinds.h"

namespace posiscope::ui {
namespace {

Plot turnsPlot(const ViewContext& context) {
  CurveLook look;
  look.y_logarithmic = true;
  look.y_limits = typedLimits(context.tile, true);
  look.y_include = {1};
  Plot plot = makePlot(context, look);
  PlotMark shade;
  shade.label = context.style.text({"less than one turn", "不满一圈"});
  shade.vertical = false;
  shade.warm = true;
  shade.from = 0;
  shade.to = 1;
  plot.marks.insert(plot.marks.begin(), shade);
  return plot;
}

}  // namespace

ViewKind turnsView() { return curveViewKind({}, {"turns", {"Turns", "圈数"}, CurveKind::Abscissa::pair, turnsPlot}); }

}  // namespace posiscope::ui

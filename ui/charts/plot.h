// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "ui/charts/scale.h"
#include "ui/views/view.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <QColor>
#include <QString>
#include <utility>
#include <vector>

namespace posiscope::ui {

/// One legend entry: the curves that belong together (one scheme, or one kind of curve of all schemes).
struct PlotGroup {
  QString name;
  QColor colour;
  QList<qreal> dashes;
};

/// One curve as it is drawn.
struct PlotSeries {
  std::shared_ptr<const Curve> curve;  ///< keeps its dataset alive
  int group = -1;                      ///< −1: behind everything (the pinned "before", which is a kind)
  int kind = -1;                       ///< a second entry it belongs to: its kind, where schemes have several
  int scheme = -1;                     ///< index in the experiment
  QString name;                        ///< in the value box
  QColor colour;
  QList<qreal> dashes;
  double width = 1.5;
  bool right = false;  ///< read on the right axis

  bool isIn(int entry) const { return entry == group || (kind >= 0 && entry == kind); }
};

/// The area between two curves: a spread.
struct PlotBand {
  std::shared_ptr<const Curve> low, high;  ///< same abscissas
  int group = -1;
  QColor colour;
  bool right = false;
};

struct PlotAxis {
  QString title;
  QString symbol;  ///< in the value box: "i − j"
  Axis axis;       ///< of the data: what its indices are, and the symbol that links it to other views
  Scale scale;
  bool indices = false;  ///< counts things: whole numbers
};

/// A band or line across the plot that gives the curves a scale.
struct PlotMark {
  QString label;
  bool vertical = true;
  double from = 0;
  double to = 0;      ///< equal to `from` for a line; may be infinite
  bool warm = false;  ///< shaded in the warning colour
  QColor colour = {};  ///< of the scheme it belongs to; invalid where it is true of several
};

/// One line of text under the plot.
struct PlotNotice {
  enum class Kind { error, warning, note };
  Kind kind = Kind::note;
  QString text;
};

/// Everything a curve view shows, ready to be drawn; a value, made without a painter.
struct Plot {
  PlotAxis x, y;
  std::optional<PlotAxis> right;  ///< when two quantities are compared (scores and biases), the second one's
  std::vector<PlotGroup> groups;
  std::vector<PlotSeries> series;
  std::vector<PlotBand> bands;
  std::vector<PlotMark> marks;
  std::vector<PlotNotice> notices;
  QString centred;    ///< shown instead of a plot: why there is nothing to draw, or not yet
  bool blank = true;  ///< no result yet
};

/// How one view wants its curves.
struct CurveLook {
  bool x_logarithmic = false;
  bool y_logarithmic = false;
  bool x_indices = true;
  std::optional<std::pair<double, double>> y_limits;  ///< typed; automatic otherwise
  bool warnings = false;                              ///< write the measure's warning sentences under the plot
  std::vector<double> y_include;                      ///< values the automatic limits must contain
};

/// The curves of all answers of the context, the pinned ones behind them, marks, notices and axes.
Plot makePlot(const ViewContext& context, const CurveLook& look);

/// "wavelength λ (tokens, log)" in the style's language.
QString axisTitle(const Axis& axis, bool logarithmic, Language language);

/// The right axis while `y` is the visible part of the left one: both zoom together.
Scale rightScale(const Plot& plot, const Scale& y);

}  // namespace posiscope::ui

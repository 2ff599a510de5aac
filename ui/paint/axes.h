// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "ui/paint/style.h"

#include <QRectF>
#include <QString>
#include <vector>

class QPainter;

namespace posiscope::ui {

/// Round values (1, 2, 5 times a power of ten) inside [low, high], at most `most`.
std::vector<double> niceTicks(double low, double high, int most);
/// Whole numbers for an axis of indices: steps are powers of two, as sizes of models are, until the numbers have five
/// digits.
std::vector<double> indexTicks(double low, double high, int most);

/// "tokens", "dimensions", … in the language.
QString unitText(const std::string& unit, Language language);

/// "position i", "offset i − j (tokens)".
QString axisTitle(const Axis& axis, const Style& style);

/// One side of a plot: values `low` to `high` run along it, with labels at `ticks`.
struct AxisScale {
  double low = 0;
  double high = 1;
  std::vector<double> ticks;
  QString title;                    ///< empty = none
  std::vector<QString> names = {};  ///< of the ticks, where they have some; empty = their numbers
  double name_height = 0;           ///< what upright names take below a plot; 0 = they lie side by side

  /// Where the value lies, as a share of the side.
  double fraction(double value) const { return (value - low) / (high - low); }
};

inline constexpr int tick_pixels = 11;  ///< font size of ticks and axis titles

/// With a word that the numbers at the ticks are token ids, where they are: "query i (token ids)".
QString axisTitle(const Axis& axis, const AxisScale& scale, const Style& style);

/// A tick at every index, named: where a name has the room of a line. Otherwise the numbers stay.
void nameTicks(AxisScale& scale, const Axis& axis, std::int64_t cells, double length, const Style& style);

/// The name of a token as it is drawn: a tab and a line break in it are signs, other control characters spaces.
QString shownName(const std::string& name);

/// What stands at a place of an axis whose indices have names; empty where none has.
QString nameAt(const Axis& axis, double place);

/// The room that labels and title need outside the plot.
double leftAxisWidth(const AxisScale& axis, const Style& style);
double bottomAxisHeight(const AxisScale& axis);

/// Values increase downwards when `downwards` (positions of a table), else upwards (curves).
void drawLeftAxis(QPainter& painter, const QRectF& plot, const AxisScale& axis, bool downwards, const Style& style);
void drawBottomAxis(QPainter& painter, const QRectF& plot, const AxisScale& axis, const Style& style);

}  // namespace posiscope::ui

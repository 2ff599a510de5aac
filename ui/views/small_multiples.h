// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSizeF>
#include <vector>

namespace posiscope::ui {

/// The arrangement of the small multiples.
struct PlotGrid {
  int columns = 1;
  int rows = 1;
  double width = 0;  ///< of one plot
  double height = 0;
  double column_step = 0;
  double row_step = 0;
};

/// The largest plots that fit. `groups` are the panels of each scheme or layer when each starts a row of its own.
/// `aspect` is the width of a plot by its height; 0 = as the room is.
PlotGrid arrange(const std::vector<int>& groups, QSizeF room, double aspect, QSizeF between);

}  // namespace posiscope::ui

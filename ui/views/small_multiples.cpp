// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/small_multiples.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace posiscope::ui {

PlotGrid arrange(const std::vector<int>& groups, QSizeF room, double aspect, QSizeF between) {
  PlotGrid best;
  double best_value = 0;
  const int panels = std::accumulate(groups.begin(), groups.end(), 0);
  const int most = *std::ranges::max_element(groups);
  for (int columns = 1; columns <= most; ++columns) {
    int rows = 0;
    for (const int group : groups) rows += (group + columns - 1) / columns;
    const double wide = (room.width() - (columns - 1) * between.width()) / columns;
    const double high = (room.height() - rows * between.height()) / rows;
    const double width = aspect > 0 ? std::min(wide, high * aspect) : wide;
    const double height = aspect > 0 ? std::min(high, wide / aspect) : high;
    const double side = std::min(width, height);
    // A little size is given up for fewer rows (comparing is easier side by side) and for rows that are full.
    const double value = side * std::pow(static_cast<double>(panels) / (rows * columns), 0.3);
    if (value < best_value * 0.95 || side <= 0) continue;
    best_value = std::max(best_value, value);
    best = {columns, rows, width, height, 0, 0};
  }
  best.width = std::max(4.0, std::floor(best.width));
  best.height = std::max(4.0, std::floor(best.height));
  best.column_step = best.width + between.width();
  best.row_step = best.height + between.height();
  return best;
}

}  // namespace posiscope::ui

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot.h"

#include <QRectF>
#include <vector>

class QPainter;

namespace posiscope::ui {

/// Where the entries of a legend stand: in rows above the plot, so that they never cover a curve.
struct LegendLayout {
  struct Entry {
    int group = 0;
    QRectF box;
    QString text;  ///< shortened to what fits
  };
  std::vector<Entry> entries;
  int more = 0;     ///< groups that found no place
  QPointF more_at;  ///< baseline of "+3"
  double height = 0;

  /// The group at a point; −1 = none.
  int groupAt(QPointF point) const;
};

/// At most `rows` rows in `width` pixels, from the top left corner `at`.
LegendLayout layoutLegend(const std::vector<PlotGroup>& groups, QPointF at, double width, int rows, const Style& style);

/// `isolated`: the group that stands out, −1 = all the same.
void paintLegend(QPainter& painter, const LegendLayout& layout, const std::vector<PlotGroup>& groups, int isolated,
                 const Style& style);

}  // namespace posiscope::ui

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/view.h"

#include <QColor>
#include <QRectF>
#include <QString>
#include <vector>

class QPainter;

namespace posiscope::ui {

/// The values that a figure of several schemes would keep to itself: its legend has their names only.
/// "RoPE · YaRN: factor 8 · original 8 192" for each shown scheme that has values of its own beyond those in its name.
struct ValuesKey {
  struct Entry {
    QColor colour;
    QString text;
  };
  std::vector<Entry> entries;
};

ValuesKey valuesKey(const ViewKind& view, const ViewContext& context, const Experiment& experiment);

/// Draws the entries side by side from the top of `area` in as many rows as they need, at most a third of its height;
/// one that is wider than the area is elided. Answers the height taken, 0 where there is nothing to say.
double drawValuesKey(QPainter& painter, const ValuesKey& key, const QRectF& area, const Style& style);

}  // namespace posiscope::ui

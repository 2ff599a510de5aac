// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/values_key.h"

#include "core/experiment.h"
#include "ui/views/map_difference.h"

#include <algorithm>
#include <cstddef>
#include <QFontMetricsF>
#include <QPainter>

namespace posiscope::ui {
namespace {

constexpr double row_height = 18;
constexpr double square = 8;
constexpr double square_gap = 6;
constexpr double entry_gap = 18;

/// Its values but for those that its name tells already.
QString valuesBeyondName(const SchemeChoice& choice, const QString& name, const Style& style) {
  static const QString dot = QStringLiteral(" · ");
  const QStringList told = name.split(dot);
  QStringList values = style.text(displayValues(choice)).split(dot, Qt::SkipEmptyParts);
  values.removeIf([&told](const QString& value) { return told.contains(value); });
  return values.join(dot);
}

}  // namespace

ValuesKey valuesKey(const ViewKind& view, const ViewContext& context, const Experiment& experiment) {
  const std::vector<SchemeChoice>& schemes = experiment.schemes;
  const std::optional<SchemePair> pair = chosenPair(view.options, context);
  const auto isShown = [&](std::size_t index) {
    if (pair) return static_cast<int>(index) == pair->minuend || static_cast<int>(index) == pair->subtrahend;
    return schemes[index].visible;
  };
  const Style& style = context.style;
  const QString colon = style.language == Language::chinese ? QStringLiteral("：") : QStringLiteral(": ");
  ValuesKey key;
  for (std::size_t s = 0; s < schemes.size(); ++s) {
    if (!isShown(s)) continue;
    const QString name = style.text(displayName(schemes[s], schemes));
    const QString values = valuesBeyondName(schemes[s], name, style);
    if (!values.isEmpty()) key.entries.push_back({schemeColour(schemes[s].colour), name + colon + values});
  }
  return key;
}

double drawValuesKey(QPainter& painter, const ValuesKey& key, const QRectF& area, const Style& style) {
  painter.setFont(style.font(11));
  const QFontMetricsF metrics(painter.font());
  const int most_rows = static_cast<int>(area.height() / 3 / row_height);
  double left = area.left();
  int row = 0;
  for (const ValuesKey::Entry& entry : key.entries) {
    const double needed = square + square_gap + metrics.horizontalAdvance(entry.text) + 1;
    if (left > area.left() && left + needed > area.right()) {
      left = area.left();
      ++row;
    }
    if (row >= most_rows) return most_rows * row_height;
    const QRectF place(left, area.top() + row * row_height, std::min(needed, area.right() - left), row_height);
    painter.fillRect(QRectF(place.left(), place.center().y() - square / 2, square, square), entry.colour);
    painter.setPen(style.mute);
    const double room = std::max(0.0, place.width() - square - square_gap);
    painter.drawText(place.adjusted(square + square_gap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(entry.text, Qt::ElideRight, room));
    left += needed + entry_gap;
  }
  return key.entries.empty() ? 0 : (row + 1) * row_height;
}

}  // namespace posiscope::ui

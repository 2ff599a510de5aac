// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/legend.h"

#include "ui/charts/blend.h"
#include "ui/charts/strokes.h"

#include <algorithm>
#include <QFontMetricsF>
#include <QPainter>

namespace posiscope::ui {
namespace {

constexpr double row_height = 18;
constexpr double sample_width = 18;
constexpr double sample_gap = 6;
constexpr double entry_gap = 16;

/// How much of the name another one starts with as well, in whole words: "dimension " of "dimension 4: cos of pair 2".
qsizetype sharedStart(const std::vector<PlotGroup>& groups, const QString& name) {
  qsizetype most = 0;
  for (const PlotGroup& other : groups) {
    if (other.name == name) continue;
    const auto differ = std::ranges::mismatch(name, other.name).in1;
    const QString start = name.left(differ - name.begin());
    most = std::max(most, start.lastIndexOf(QLatin1Char(' ')) + 1);
  }
  return most;
}

/// What tells a name from the others goes last.
QString shortened(const std::vector<PlotGroup>& groups, const QString& name, double widest,
                  const QFontMetricsF& metrics) {
  const qsizetype shared = sharedStart(groups, name);
  if (metrics.horizontalAdvance(name) <= widest || shared < 2) return metrics.elidedText(name, Qt::ElideMiddle, widest);
  const QString rest = QChar(0x2026) + name.mid(shared);
  const bool fits = metrics.horizontalAdvance(rest) <= widest;
  return fits ? metrics.elidedText(name, Qt::ElideLeft, widest) : metrics.elidedText(rest, Qt::ElideRight, widest);
}

/// Entries side by side in at most `rows` rows, no name wider than `widest`.
LegendLayout flow(const std::vector<PlotGroup>& groups, QPointF at, double width, int rows, double widest,
                  const QFontMetricsF& metrics) {
  LegendLayout layout;
  const double more_width = metrics.horizontalAdvance(QStringLiteral("+99")) + 4;
  double x = at.x();
  int row = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const QString text = shortened(groups, groups[g].name, widest, metrics);
    const double needed = sample_width + sample_gap + metrics.horizontalAdvance(text);
    const bool last = g + 1 == groups.size();
    const double room = at.x() + width - (row + 1 == rows && !last ? more_width : 0);
    if (x > at.x() && x + needed > room) {
      if (++row == rows) {
        --row;
        layout.more = static_cast<int>(groups.size() - g);
        layout.more_at = {x, at.y() + row * row_height + row_height / 2 + metrics.ascent() / 2 - 1};
        break;
      }
      x = at.x();
    }
    layout.entries.push_back({static_cast<int>(g), QRectF(x, at.y() + row * row_height, needed, row_height), text});
    x += needed + entry_gap;
  }
  layout.height = (row + 1) * row_height;
  return layout;
}

}  // namespace

int LegendLayout::groupAt(QPointF point) const {
  for (const Entry& entry : entries)
    if (entry.box.contains(point)) return entry.group;
  return -1;
}

LegendLayout layoutLegend(const std::vector<PlotGroup>& groups, QPointF at, double width, int rows,
                          const Style& style) {
  if (groups.empty() || rows < 1 || width < 60) return {};
  const QFontMetricsF metrics(style.font(11));
  const double whole_row = width - sample_width - sample_gap;
  // Whole names on a further row come before cut ones on fewer.
  if (LegendLayout layout = flow(groups, at, width, rows, whole_row, metrics); layout.more == 0) return layout;
  // A name may always take what the entries of a full row would share, but never less than 64 pixels, and as much more
  // as leaves room for all of them: short names give theirs to long ones.
  const double share = width * rows / static_cast<double>(groups.size()) - sample_width - sample_gap - entry_gap;
  double fits = std::clamp(share, std::min(64.0, whole_row), whole_row), too_wide = whole_row;
  LegendLayout best = flow(groups, at, width, rows, fits, metrics);
  if (best.more > 0) return best;
  constexpr double close_enough = 2;
  while (too_wide - fits > close_enough) {
    const double middle = (fits + too_wide) / 2;
    LegendLayout layout = flow(groups, at, width, rows, middle, metrics);
    (layout.more == 0 ? fits : too_wide) = middle;
    if (layout.more == 0) best = std::move(layout);
  }
  return best;
}

void paintLegend(QPainter& painter, const LegendLayout& layout, const std::vector<PlotGroup>& groups, int isolated,
                 const Style& style) {
  painter.setFont(style.font(11));
  const double ascent = QFontMetricsF(painter.font()).ascent();
  for (const LegendLayout::Entry& entry : layout.entries) {
    const PlotGroup& group = groups[static_cast<std::size_t>(entry.group)];
    const bool faint = isolated >= 0 && isolated != entry.group;
    const double middle = entry.box.center().y();
    const QPolygonF sample{{entry.box.left(), middle}, {entry.box.left() + sample_width, middle}};
    painter.setPen(QPen(faint ? blend(group.colour, style.panel, 0.3) : group.colour, 2.5, Qt::SolidLine, Qt::FlatCap));
    painter.drawLines(dashed(sample, group.dashes));
    painter.setPen(faint ? blend(style.mute, style.panel, 0.6) : style.ink);
    painter.drawText(QPointF(entry.box.left() + sample_width + sample_gap, middle + ascent / 2 - 1), entry.text);
  }
  if (layout.more == 0) return;
  painter.setPen(style.mute);
  painter.drawText(layout.more_at, QStringLiteral("+%1").arg(layout.more));
}

}  // namespace posiscope::ui

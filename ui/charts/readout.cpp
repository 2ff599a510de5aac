// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/readout.h"

#include "ui/charts/samples.h"
#include "ui/paint/axes.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>
#include <QPainter>

namespace posiscope::ui {
namespace {

constexpr std::size_t most_single_lines = 6;  ///< more curves share lines
constexpr double row_height = 16;
constexpr double inset = 8;
constexpr double margin = 2;  ///< to the edge of the picture
constexpr double longest_name = 120;

QString rangeText(const Readout::Line& line) {
  if (!(line.low < line.high)) return numberText(line.low);
  return numberText(line.low) + QStringLiteral(" … ") + numberText(line.high);
}

QString moreText(int more, const Style& style) {
  return style.text({"%1 more: click a name in the legend", "另有 %1 条：点击图例中的名称"}).arg(more);
}

/// Does most of what is marked lie in the upper half? Then the box goes to the lower one.
bool isAbove(const PlotLayout& layout, const Readout& readout) {
  double sum = 0;
  for (const Readout::Row& row : readout.rows) {
    const double height = (row.right ? layout.frame.right : layout.frame.y).share(row.value);
    sum += std::isfinite(height) ? std::clamp(height, 0.0, 1.0) - 0.5 : 0;
  }
  return sum > 0;
}

struct Box {
  QRectF rect;
  double name_width;
  QString title;
};

Box layoutBox(const Plot& plot, const PlotLayout& layout, const Readout& readout, double x, const Style& style) {
  const QFontMetricsF text(style.font(11)), digits(style.digits(11));
  Box box;
  box.title = plot.x.symbol + QStringLiteral(" = ") + numberText(readout.x, 6);
  if (const QString name = nameAt(plot.x.axis, readout.x); !name.isEmpty())
    box.title += QStringLiteral(" · ") + text.elidedText(name, Qt::ElideRight, longest_name);
  double name = 0, value = 0;
  for (const Readout::Line& line : readout.lines) {
    name = std::max(name, text.horizontalAdvance(line.name));
    value = std::max(value, digits.horizontalAdvance(rangeText(line)));
  }
  // The box may reach over the axes: a name cut in its middle does not tell which curve it is.
  const double widest = layout.size.width() - 2 * margin - 2 * inset - 14 - 12 - value;
  box.name_width = std::min(name, std::max(40.0, widest));
  const double more = readout.more > 0 ? 14 + text.horizontalAdvance(moreText(readout.more, style)) : 0;
  const double width =
      std::max({text.horizontalAdvance(box.title), 14 + box.name_width + 12 + value, more}) + 2 * inset;
  const double height = static_cast<double>(1 + readout.lines.size() + (readout.more > 0 ? 1U : 0U)) * row_height + 10;
  const double lowest = std::max(layout.plot.top() + 6, layout.plot.bottom() - 6 - height);
  box.rect = QRectF(x + 10, isAbove(layout, readout) ? lowest : layout.plot.top() + 6, width, height);
  if (box.rect.right() > layout.plot.right()) box.rect.moveRight(x - 10);
  if (box.rect.left() < margin) box.rect.moveLeft(margin);
  return box;
}

void paintBox(QPainter& painter, const Readout& readout, const Box& box, const Style& style) {
  QColor ground = style.panel;
  ground.setAlphaF(0.94F);
  painter.setBrush(ground);
  painter.setPen(QPen(style.line, 1));
  painter.drawRoundedRect(box.rect, 4, 4);
  QRectF line(box.rect.left() + inset, box.rect.top() + 5, box.rect.width() - 2 * inset, row_height);
  painter.setFont(style.font(11));
  painter.setPen(style.mute);
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, box.title);
  const QFontMetricsF metrics(painter.font());
  for (const Readout::Line& told : readout.lines) {
    line.translate(0, row_height);
    painter.setFont(style.font(11));
    painter.fillRect(QRectF(line.left(), line.center().y() - 4, 8, 8), told.colour);
    painter.setPen(style.ink);
    painter.drawText(line.adjusted(14, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(told.name, Qt::ElideMiddle, box.name_width));
    painter.setFont(style.digits(11));
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, rangeText(told));
  }
  if (readout.more == 0) return;
  painter.setFont(style.font(11));
  painter.setPen(style.mute);
  painter.drawText(line.translated(14, row_height), Qt::AlignLeft | Qt::AlignVCenter, moreText(readout.more, style));
}

/// One line for each curve where they are few; else one for each legend entry.
void addLines(Readout& readout, const Plot& plot, const std::vector<int>& groups, bool shared, std::size_t most_lines) {
  int last = -1;
  for (std::size_t r = 0; r < readout.rows.size(); ++r) {
    const Readout::Row& row = readout.rows[r];
    if (shared && last == groups[r]) {
      Readout::Line& line = readout.lines.back();
      const PlotGroup& group = plot.groups[static_cast<std::size_t>(last)];
      line = {group.name, group.colour, std::min(line.low, row.value), std::max(line.high, row.value)};
      continue;
    }
    last = groups[r];
    readout.lines.push_back({row.name, row.colour, row.value, row.value});
  }
  if (readout.lines.size() <= most_lines) return;
  readout.more = static_cast<int>(readout.lines.size() - most_lines);
  readout.lines.resize(most_lines);
}

}  // namespace

Readout readAt(const Plot& plot, double x, int isolated, std::size_t most_lines) {
  Readout readout;
  readout.x = x;
  std::vector<int> groups;  // of the rows
  for (const PlotSeries& series : plot.series) {
    if (series.group < 0 || (isolated >= 0 && !series.isIn(isolated))) continue;
    const std::ptrdiff_t at = sampleAt(*series.curve, x);
    if (at < 0) continue;
    readout.rows.push_back(
        {series.name, series.colour, series.curve->y[static_cast<std::size_t>(at)], series.scheme, series.right});
    groups.push_back(series.group);
  }
  addLines(readout, plot, groups, isolated < 0 && readout.rows.size() > most_single_lines, most_lines);
  return readout;
}

void paintReadout(QPainter& painter, const Plot& plot, const PlotLayout& layout, const Readout& readout, bool with_box,
                  const Style& style) {
  const double share = layout.frame.x.share(readout.x);
  if (layout.plot.isEmpty() || !(share >= 0 && share <= 1)) return;
  const double x = layout.plot.left() + share * layout.plot.width();
  painter.setRenderHint(QPainter::Antialiasing);
  QPen cross(style.ink, 1);
  cross.setDashPattern({3, 3});
  painter.setPen(cross);
  painter.drawLine(QPointF(x, layout.plot.top()), QPointF(x, layout.plot.bottom()));
  for (const Readout::Row& row : readout.rows) {
    const double height = (row.right ? layout.frame.right : layout.frame.y).share(row.value);
    if (!(height >= 0 && height <= 1)) continue;
    painter.setPen(QPen(style.panel, 1.5));
    painter.setBrush(row.colour);
    painter.drawEllipse(QPointF(x, layout.plot.bottom() - height * layout.plot.height()), 4, 4);
  }
  if (with_box && !readout.rows.empty()) paintBox(painter, readout, layoutBox(plot, layout, readout, x, style), style);
}

}  // namespace posiscope::ui

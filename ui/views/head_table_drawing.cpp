// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How a table of heads is painted; the layout is in head_table_layout.cpp.
#include "ui/charts/blend.h"
#include "ui/paint/kind_mark.h"
#include "ui/paint/notice.h"
#include "ui/views/head_table.h"
#include "ui/views/map_note.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>
#include <set>

namespace posiscope::ui {
namespace {

constexpr double inset = 4;
constexpr double header_line = 12;
constexpr double arrow_room = 10;

/// Points the way the numbers grow; drawn, because fonts differ in which arrows they have.
void drawArrow(QPainter& painter, QPointF tip, bool descending, const Style& style) {
  const double down = descending ? 1 : -1;
  painter.setPen(Qt::NoPen);
  painter.setBrush(style.ink);
  painter.drawPolygon(QPolygonF{{tip, tip + QPointF(-3.5, -6 * down), tip + QPointF(3.5, -6 * down)}});
}

double longestWord(const QString& label, const QFontMetricsF& metrics) {
  double longest = 0;
  for (const QString& word : label.split(QLatin1Char(' ')))
    longest = std::max(longest, metrics.horizontalAdvance(word));
  return longest;
}

void drawHeader(QPainter& painter, const HeadTable& table, const HeadTableLayout::Place& place) {
  const Style& style = table.style;
  const HeadColumn& column = table.columns[place.index];
  const bool sorted = column.key == table.sort;
  QRectF area = place.area.adjusted(inset, 2, -inset, -3);
  painter.setFont(style.font(10, sorted));
  painter.setPen(sorted ? style.ink : style.mute);
  const QFontMetricsF metrics(painter.font());
  int most = std::max(1, static_cast<int>(area.height() / header_line));
  // The arrow stands behind the last line, or in a line of its own above them where a word would be cut for it.
  const bool beside = !sorted || most < 2 || longestWord(column.label, metrics) <= area.width() - arrow_room;
  if (sorted && beside) area.setRight(area.right() - arrow_room);
  if (!beside) --most;
  const QStringList lines = wrapped(column.label, area.width(), most, metrics);
  if (sorted && !lines.isEmpty()) {
    const double after = place.index < 2 ? area.left() + metrics.horizontalAdvance(lines.back()) : area.right();
    const double end = beside ? after : area.right() - arrow_room;
    const double above = beside ? 0 : header_line * static_cast<double>(lines.size());
    const double middle = area.bottom() - above - header_line / 2;
    drawArrow(painter, {end + arrow_room / 2 + 1, middle + (table.descending ? 3 : -3)}, table.descending, style);
    painter.setPen(style.ink);
  }
  double bottom = area.bottom();
  for (qsizetype l = lines.size(); l-- > 0; bottom -= header_line) {
    const QRectF line(area.left(), bottom - header_line, area.width(), header_line);
    painter.drawText(line, (place.index < 2 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, lines[l]);
  }
}

/// Three digits each, "0.10" and "30.0", so that the numbers of a column can be compared at a glance.
QString figureText(double value, bool whole_column) {
  const double size = std::abs(value);
  if (whole_column || !(size > 0 && size < 100)) return numberText(value, 3);
  const QString text = QString::asprintf("%#.3g", size);
  return value < 0 ? QChar(0x2212) + text : text;
}

/// Has the column whole numbers alone? Periods are counted.
bool isWhole(const HeadTable& table, std::size_t column) {
  return std::ranges::all_of(table.lines, [&](const HeadLine& line) {
    const double value = table.value(line, column);
    return !std::isfinite(value) || value == std::floor(value);
  });
}

/// A number, and under it a bar as long as it is of the largest in its column.
void drawFigure(QPainter& painter, const QRectF& cell, double value, const QString& text, double largest,
                const Style& style) {
  const QRectF area = cell.adjusted(inset, 1, -inset, -1);
  painter.setFont(style.digits(11));
  painter.setPen(std::isnan(value) ? style.mute : style.ink);
  painter.drawText(area, Qt::AlignRight | Qt::AlignVCenter, text);
  if (!(value > 0) || !(largest > 0)) return;
  const double length = area.width() * std::min(1.0, value / largest);
  painter.fillRect(QRectF(area.right() - length, area.bottom() - 2.5, length, 2), blend(style.mute, style.panel, 0.55));
}

/// `whole`: the columns of whole numbers.
void drawLine(QPainter& painter, const HeadTable& table, const HeadTableLayout& layout,
              const HeadTableLayout::Place& place, const std::set<std::size_t>& whole) {
  const Style& style = table.style;
  const HeadLine& line = table.lines[place.index];
  if (line.head < 0) {
    const HeadSection& section = table.sections[line.section];
    drawKey(painter, place.area.adjusted(inset, 3, 0, 0), section.colour, section.name, style);
    return;
  }
  const bool chosen = line.head == table.chosen;
  if (chosen) {
    painter.fillRect(place.area, style.hover);
    painter.fillRect(QRectF(place.area.topLeft(), QSizeF(3, place.area.height())), style.ink);
  }
  for (const HeadTableLayout::Place& header : layout.headers) {
    const QRectF cell = layout.cell(place.index, header.index);
    if (header.index == 0) {
      painter.setFont(style.font(11, chosen));
      painter.setPen(style.ink);
      painter.drawText(cell.adjusted(2 * inset, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, table.number(line));
    } else if (table.columns[header.index].key == "kind") {
      if (const auto kind = table.kind(line)) drawKindChip(painter, cell.adjusted(2, 1, -4, -1), *kind, style);
    } else {
      const double value = table.value(line, header.index);
      const QString text = figureText(value, whole.contains(header.index));
      drawFigure(painter, cell, value, text, table.columns[header.index].largest, style);
    }
  }
}

QString footText(const HeadTable& table, const HeadTableLayout& layout) {
  const Style& style = table.style;
  QStringList parts;
  const auto add = [&](std::size_t count, const Text& scrolled, const Text& still) {
    if (count > 0) parts << style.text(table.interactive ? scrolled : still).arg(static_cast<int>(count));
  };
  add(layout.hidden_lines, {"%1 more lines: scroll", "还有 %1 行：滚动查看"},
      {"%1 more lines with more room", "放大后还有 %1 行"});
  add(layout.hidden_figures,
      {"%1 more figures: arrow keys or Shift-scroll", "还有 %1 项指标：方向键或 Shift 加滚轮查看"},
      {"%1 more figures with more room", "放大后还有 %1 项指标"});
  if (!table.scope.isEmpty()) parts << table.scope;
  return parts.join(QStringLiteral(" · "));
}

/// In one line, or in two where nothing stands above it.
void drawFoot(QPainter& painter, const HeadTable& table, const HeadTableLayout& layout) {
  painter.setFont(table.style.font(10));
  painter.setPen(table.style.mute);
  constexpr double pitch = 13;
  const double used = layout.lines.empty() ? layout.foot.top() : layout.lines.back().area.bottom();
  const bool free = layout.told.isEmpty() && layout.foot.top() - used >= pitch;
  const QStringList lines =
      wrapped(footText(table, layout), layout.foot.width(), free ? 2 : 1, QFontMetricsF(painter.font()));
  QRectF place = layout.foot.translated(0, -pitch * static_cast<double>(lines.size() - 1));
  for (const QString& line : lines) {
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, line);
    place.translate(0, pitch);
  }
}

void drawTold(QPainter& painter, const QRectF& area, const QString& text, const Style& style) {
  painter.setFont(style.font(11));
  painter.setPen(style.ink);
  constexpr double pitch = 14;
  const QStringList lines =
      wrapped(text, area.width(), static_cast<int>(area.height() / pitch), QFontMetricsF(painter.font()));
  double top = area.bottom() - pitch * static_cast<double>(lines.size());  // just above the foot
  for (const QString& line : lines) {
    painter.drawText(QRectF(area.left(), top, area.width(), pitch), Qt::AlignLeft | Qt::AlignVCenter, line);
    top += pitch;
  }
}

}  // namespace

std::optional<std::size_t> toldLine(const HeadTable& table, const std::optional<HeadCursor>& cursor) {
  if (cursor && table.lines[cursor->line].head >= 0) return cursor->line;
  const auto chosen = std::ranges::find(table.lines, table.chosen, &HeadLine::head);
  return chosen == table.lines.end() || table.chosen < 0
             ? std::nullopt
             : std::optional(static_cast<std::size_t>(chosen - table.lines.begin()));
}

void drawHeads(QPainter& painter, const QRectF& target, const HeadTable& table, const HeadTableLayout& layout) {
  const Style& style = table.style;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t f = 0; f < table.failures.size(); ++f)
    drawNotice(painter, layout.failures[f], table.failures[f], style);
  if (!table.nothing.isEmpty()) drawSentence(painter, target, table.nothing, style);
  std::set<std::size_t> whole;
  for (const HeadTableLayout::Place& header : layout.headers)
    if (isWhole(table, header.index)) whole.insert(header.index);
  for (const HeadTableLayout::Place& place : layout.lines) drawLine(painter, table, layout, place, whole);
  painter.setBrush(Qt::NoBrush);
  for (const HeadTableLayout::Place& place : layout.lines) {
    painter.setPen(QPen(style.line, 1));
    painter.drawLine(place.area.topLeft(), place.area.topRight());
  }
  for (const HeadTableLayout::Place& header : layout.headers) drawHeader(painter, table, header);
  if (!layout.foot.isEmpty()) drawFoot(painter, table, layout);
  if (table.stale) drawStaleVeil(painter, target, style);
  painter.restore();
}

void drawHeadPointer(QPainter& painter, const HeadTable& table, const HeadTableLayout& layout,
                     const std::optional<HeadCursor>& cursor, const Hover& hover) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  if (const auto line = toldLine(table, cursor); line && !layout.told.isEmpty()) {
    const HeadLine& told = table.lines[*line];
    const QString head = table.style.text({"Head %1", "头 %1"}).arg(table.number(told));
    drawTold(painter, layout.told, head + QStringLiteral(" · ") + evidenceOf(table, told), table.style);
  }
  painter.setBrush(Qt::NoBrush);
  for (const HeadTableLayout::Place& place : layout.lines) {
    const HeadLine& line = table.lines[place.index];
    const bool hovered = hover.head && table.isHead(line, *hover.head) &&
                         (!hover.scheme || *hover.scheme == table.sections[line.section].scheme);
    if (!hovered && !(cursor && cursor->line == place.index)) continue;
    painter.setPen(QPen(table.style.mute, 1));
    painter.drawRect(place.area.adjusted(0.5, 0.5, -0.5, -0.5));
  }
  if (cursor)
    if (const QRectF cell = layout.cell(cursor->line, cursor->column); !cell.isEmpty()) {
      painter.setPen(QPen(table.style.ink, 1.2));
      painter.drawRoundedRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    }
  painter.restore();
}

}  // namespace posiscope::ui

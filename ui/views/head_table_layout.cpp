// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Where the parts of a table of heads stand.
#include "ui/paint/kind_mark.h"
#include "ui/paint/notice.h"
#include "ui/views/head_table.h"

#include <algorithm>
#include <cmath>

namespace posiscope::ui {
namespace {

constexpr double padding = 12;
constexpr double line_height = 21;
constexpr double tall_header = 42;  // three lines
constexpr double flat_header = 18;
constexpr double foot_height = 16;
constexpr double told_line = 14;
constexpr double told_height = 2 * told_line;
constexpr double most_told = 0.5;   // of the room, where the lines of the table leave it
constexpr double tall_least = 150;  // of the room, for a tall header
constexpr double told_least = 170;  // of the room, for the evidence
constexpr double head_width = 50;
constexpr double least_figure = 60;
constexpr double widest_figure = 96;
constexpr std::size_t fixed_columns = 2;  // the head and its kind are always there

/// For the widest word that occurs.
double kindWidth(const HeadTable& table) {
  double width = 50;
  for (const HeadLine& line : table.lines)
    if (const auto kind = table.kind(line)) width = std::max(width, kindChipWidth(*kind, table.style));
  return width + 8;
}

void placeColumns(HeadTableLayout& layout, const HeadTable& table, const QRectF& room, double height,
                  std::size_t first) {
  const double kind_width = std::min(kindWidth(table), std::max(24.0, room.width() - head_width));
  double left = room.left();
  const auto place = [&](std::size_t column, double width) {
    layout.headers.push_back({column, QRectF(left, room.top(), width, height)});
    left += width;
  };
  place(0, head_width);
  if (table.columns.size() < fixed_columns) return;
  place(1, kind_width);
  const std::size_t figures = table.columns.size() - fixed_columns;
  const double rest = std::max(0.0, room.right() - left);
  const std::size_t shown = std::min(figures, static_cast<std::size_t>(rest / least_figure));
  layout.hidden_figures = figures - shown;
  layout.first.figure = std::min(first, layout.hidden_figures);
  if (shown == 0) return;
  const double width = std::min(widest_figure, rest / static_cast<double>(shown));
  for (std::size_t f = 0; f < shown; ++f) place(fixed_columns + layout.first.figure + f, width);
}

void placeLines(HeadTableLayout& layout, const HeadTable& table, const QRectF& room, std::size_t first) {
  const auto fitting = static_cast<std::size_t>(std::max(0.0, room.height()) / line_height);
  const std::size_t shown = std::min(table.lines.size(), fitting);
  layout.hidden_lines = table.lines.size() - shown;
  layout.first.line = std::min(first, layout.hidden_lines);
  for (std::size_t l = 0; l < shown; ++l)
    layout.lines.push_back(
        {layout.first.line + l,
         QRectF(room.left(), room.top() + static_cast<double>(l) * line_height, room.width(), line_height)});
}

}  // namespace

HeadTableLayout layoutHeads(const HeadTable& table, const QRectF& target, HeadScroll first) {
  HeadTableLayout layout;
  QRectF room = target.adjusted(padding, padding - 8, -padding, -4);
  for (const QString& failure : table.failures) {
    const double height = std::min(target.height() * 0.4, noticeHeight(failure, room.width(), table.style));
    layout.failures.emplace_back(room.left(), room.top(), room.width(), height);
    room.setTop(room.top() + height + 6);
  }
  if (table.lines.empty() || room.width() < 2 * head_width) return layout;
  const bool told = table.interactive && room.height() >= told_least;
  const double header = room.height() >= tall_least ? tall_header : flat_header;
  if (room.height() < header + line_height + foot_height) return layout;
  layout.foot = QRectF(room.left(), room.bottom() - foot_height, room.width(), foot_height);
  room.setBottom(layout.foot.top());
  if (told) {
    const double left_over = room.height() - header - line_height * static_cast<double>(table.lines.size());
    const double most = std::max(told_height, most_told * room.height());
    const double height = told_line * std::floor(std::clamp(left_over, told_height, most) / told_line);
    layout.told = QRectF(room.left(), room.bottom() - height, room.width(), height);
    room.setBottom(layout.told.top() - 2);
  }
  placeColumns(layout, table, room, header, first.figure);
  room.setTop(room.top() + header);
  placeLines(layout, table, room, first.line);
  return layout;
}

QRectF HeadTableLayout::cell(std::size_t line, std::size_t column) const {
  const auto row = std::ranges::find(lines, line, &Place::index);
  const auto header = std::ranges::find(headers, column, &Place::index);
  if (row == lines.end() || header == headers.end()) return {};
  return {header->area.left(), row->area.top(), header->area.width(), row->area.height()};
}

std::optional<std::size_t> HeadTableLayout::lineAt(QPointF point) const {
  const auto found = std::ranges::find_if(lines, [point](const Place& place) { return place.area.contains(point); });
  return found == lines.end() ? std::nullopt : std::optional(found->index);
}

std::optional<std::size_t> HeadTableLayout::columnAt(QPointF point) const {
  const auto found = std::ranges::find_if(headers, [point](const Place& place) {
    return point.x() >= place.area.left() && point.x() < place.area.right();
  });
  return found == headers.end() ? std::nullopt : std::optional(found->index);
}

bool HeadTableLayout::isHeader(QPointF point) const {
  return std::ranges::any_of(headers, [point](const Place& place) { return place.area.contains(point); });
}

}  // namespace posiscope::ui

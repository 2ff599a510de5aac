// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/token_layout.h"

#include "ui/paint/notice.h"
#include "ui/views/map_layout.h"
#include "ui/views/map_note.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>

namespace posiscope::ui {
namespace {

constexpr double padding = 12;
constexpr double caption_height = 18;
constexpr double title_height = 15;
constexpr double key_height = 16;
constexpr double note_line = 13;
constexpr double between_columns = 20;  // of panels
constexpr double between_rows = 10;
constexpr double label_gap = 6;  // between a name and the end of its lines
constexpr double longest_label = 96;
constexpr double label_share = 0.26;        // of a panel, at most
constexpr double shortest_label = 14;       // less shows no letter
constexpr double label_least_width = 84;    // of a panel
constexpr double title_least_height = 110;  // of a panel
constexpr double key_least_height = 220;    // of the whole view
constexpr double key_least_width = 240;
constexpr double two_notes_height = 200;
constexpr double largest_pitch = 26;
constexpr double line_least_room = 12;
constexpr double line_of_text = 9;  // of the smallest font: closer names would touch

struct Cells {
  int columns = 1;
  double width = 0;
  double height = 0;
};

/// The panels side by side while they stay wide enough for names and lines.
Cells arrange(int count, QSizeF room, double above) {
  constexpr double good_width = 200;
  constexpr double good_height = 220;
  Cells best;
  double best_fit = -1;
  for (int columns = 1; columns <= count; ++columns) {
    const int rows = (count + columns - 1) / columns;
    const double width = (room.width() - (columns - 1) * between_columns) / columns;
    const double height = (room.height() - (rows - 1) * between_rows) / rows - above;
    const double fit = std::min(width / good_width, height / good_height);
    if (fit < best_fit * 0.95) continue;
    best_fit = std::max(best_fit, fit);
    best = {columns, std::max(0.0, width), std::max(0.0, height)};
  }
  return best;
}

double labelWidth(const TokenPanel& panel, double room, const Style& style) {
  if (room < label_least_width) return 0;
  const QFontMetricsF metrics(style.font(11, true));  // as the chosen one is written
  double widest = 0;
  for (const bool is_key : {false, true})
    for (std::int64_t k = 0; k < panel.count(is_key); ++k)
      widest = std::max(widest, metrics.horizontalAdvance(panel.label(is_key, k)));
  const double width = std::min({std::ceil(widest) + 1, longest_label, std::floor(room * label_share)});
  return width < shortest_label && width < widest ? 0 : width;
}

/// By how many rows the queries stand lower than the keys: a token is level with itself where both are shown.
std::int64_t queryShift(const TokenPanel& panel) {
  const double shift = panel.map->rows.first - panel.map->cols.first;
  const bool level = shift == std::floor(shift) && shift >= 0 && shift < static_cast<double>(panel.keys);
  return level ? static_cast<std::int64_t>(shift) : 0;
}

void placeTokens(TokenPanelPlace& place, const TokenPanel& panel, const Style& style) {
  QRectF body = place.area;
  const double labels = labelWidth(panel, body.width(), style);
  if (labels > 0 && body.height() >= title_least_height) {
    const QSizeF half(body.width() / 2 - 4, title_height);
    place.query_title = QRectF(body.topLeft(), half);
    place.key_title = QRectF(QPointF(body.right() - half.width(), body.top()), half);
    body.setTop(body.top() + title_height + 2);
  }
  const std::int64_t shift = queryShift(panel);
  const std::int64_t rows = std::max(panel.queries + shift, panel.keys);
  if (rows == 0 || body.width() < line_least_room || body.height() < line_least_room) return;
  place.pitch = std::min(largest_pitch, body.height() / static_cast<double>(rows));
  place.first_key = body.top() + place.pitch / 2;
  place.first_query = place.first_key + static_cast<double>(shift) * place.pitch;
  const double height = place.pitch * static_cast<double>(rows);
  const double beside = labels > 0 ? labels + label_gap : 2;
  place.lines = QRectF(body.left() + beside, body.top(), body.width() - 2 * beside, height);
  if (labels == 0) return;
  place.query_labels = QRectF(body.left(), body.top(), labels, height);
  place.key_labels = QRectF(body.right() - labels, body.top(), labels, height);
  while (static_cast<double>(place.label_step) * place.pitch < line_of_text) place.label_step *= 2;
  const double room = static_cast<double>(place.label_step) * place.pitch;
  place.label_pixels = std::clamp(static_cast<int>(room) - 2, 8, 11);
}

/// A panel that is far wider than high has lines too flat to be told apart.
QRectF narrowed(const QRectF& area) {
  const double width = std::min(area.width(), std::max(280.0, 1.8 * area.height()));
  return {area.center().x() - width / 2, area.top(), width, area.height()};
}

void placePanels(TokenLayout& layout, const TokenScene& scene, const QRectF& room) {
  const bool captioned = scene.panels.size() > 1;
  const double above = captioned ? caption_height : 0;
  const Cells cells = arrange(static_cast<int>(scene.panels.size()), room.size(), above);
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    const int column = static_cast<int>(p) % cells.columns;
    const int row = static_cast<int>(p) / cells.columns;
    const QPointF corner =
        room.topLeft() + QPointF(column * (cells.width + between_columns), row * (above + cells.height + between_rows));
    TokenPanelPlace place;
    place.area = narrowed(QRectF(corner + QPointF(0, above), QSizeF(cells.width, cells.height)));
    if (captioned) place.caption = QRectF(place.area.left(), corner.y(), place.area.width(), above - 2);
    if (scene.panels[p].map) placeTokens(place, scene.panels[p], scene.style);
    layout.panels.push_back(place);
  }
}

TokenLayout layoutWith(const TokenScene& scene, const QRectF& target, const QString& note) {
  TokenLayout layout;
  QRectF room = target.adjusted(padding, padding - 4, -padding, -padding / 2);
  for (const QString& failure : scene.failures) {
    const double height = std::min(target.height() * 0.4, noticeHeight(failure, room.width(), scene.style));
    layout.failures.emplace_back(room.left(), room.top(), room.width(), height);
    room.setTop(room.top() + height + 6);
  }
  layout.note = note;
  if (!note.isEmpty()) {
    const int most = target.height() >= two_notes_height ? 2 : 1;
    layout.note_lines = wrapped(note, room.width(), most, QFontMetricsF(scene.style.font(note_pixels)));
    const double height = note_line * static_cast<double>(layout.note_lines.size()) + 2;
    layout.notes = QRectF(room.left(), room.bottom() - height, room.width(), height);
    room.setBottom(room.bottom() - height - 4);
  }
  if (scene.first() && target.height() >= key_least_height && target.width() >= key_least_width) {
    layout.key = QRectF(room.left(), room.top(), room.width(), key_height);
    room.setTop(room.top() + key_height + 4);
  }
  if (!scene.panels.empty()) placePanels(layout, scene, room);
  return layout;
}

}  // namespace

QPointF TokenPanelPlace::end(bool is_key, std::int64_t index) const {
  const double first = is_key ? first_key : first_query;
  return {is_key ? lines.right() : lines.left(), first + static_cast<double>(index) * pitch};
}

TokenLayout layoutTokens(const TokenScene& scene, const QRectF& target) {
  TokenLayout layout = layoutWith(scene, target, scene.note());
  const bool all_named = std::ranges::all_of(
      layout.panels, [](const TokenPanelPlace& place) { return place.label_step == 1 || place.key_labels.isEmpty(); });
  if (all_named) return layout;
  QStringList notes = scene.notes;
  notes.prepend(scene.style.text({"no room to name every token", "空间不足，只标出部分词元"}));
  return layoutWith(scene, target, notes.join(QStringLiteral(" · ")));
}

std::optional<Token> tokenAt(const TokenScene& scene, const TokenLayout& layout, QPointF point) {
  constexpr double reach = 12;  // into the lines
  for (std::size_t p = 0; p < layout.panels.size(); ++p) {
    const TokenPanelPlace& place = layout.panels[p];
    if (place.pitch <= 0 || !place.area.contains(point)) continue;
    const double inside = std::min(reach, place.lines.width() / 3);
    const bool is_key = point.x() >= place.lines.right() - inside;
    if (!is_key && point.x() > place.lines.left() + inside) return std::nullopt;
    const double first = place.end(is_key, 0).y();
    const Token token{p, is_key, static_cast<std::int64_t>(std::floor((point.y() - first) / place.pitch + 0.5))};
    if (!scene.holds(token)) return std::nullopt;
    return token;
  }
  return std::nullopt;
}

}  // namespace posiscope::ui

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/token_drawing.h"

#include "ui/paint/axes.h"
#include "ui/paint/notice.h"
#include "ui/views/map_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <QFontMetricsF>
#include <QPainter>

namespace posiscope::ui {
namespace {

constexpr double thinnest_line = 0.6;
constexpr double thickest_line = 4;
constexpr double least_opacity = 0.18;
constexpr double least_opacity_alone = 0.45;  // of the lines of one token, which nothing crosses
constexpr double shortest_line = 12;          // beside a number
constexpr double number_gap = 3;              // between a number and the lines beside it

/// How much the lines cover each other, from 0 (a line or less for each pixel) to 1.
double crowding(const TokenPanel& panel, const TokenPanelPlace& place) {
  constexpr double few = 1;  // lines a pixel
  constexpr double many = 2.5;
  const double lines = static_cast<double>(panel.lines.size()) / std::max(1.0, place.lines.height());
  return std::clamp((lines - few) / (many - few), 0.0, 1.0);
}

/// A weight of 1 is as wide as there is room, and opaque. The root keeps the many small weights of a long row visible;
/// where lines cover each other they are paler, or the strong ones would drown.
QPen linePen(QColor colour, double weight, double pitch, double crowd, double least = least_opacity) {
  constexpr double crowded_floor = 0.3;  // of the least opacity
  const double share = std::clamp(weight, 0.0, 1.0);
  const double widest = std::clamp(0.6 * pitch, thinnest_line, thickest_line);
  const double floor = least * std::lerp(1, crowded_floor, crowd);
  colour.setAlphaF(static_cast<float>(floor + (1 - floor) * std::pow(share, std::lerp(0.5, 1.0, crowd))));
  return QPen(colour, thinnest_line + (widest - thinnest_line) * share, Qt::SolidLine, Qt::FlatCap);
}

void drawLabel(QPainter& painter, const TokenPanelPlace& place, bool is_key, std::int64_t index, const QString& text) {
  const QRectF& column = place.labels(is_key);
  const double y = place.end(is_key, index).y();
  const QString fitted = QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, column.width());
  painter.drawText(QRectF(column.left(), y - 10, column.width(), 20),
                   Qt::AlignVCenter | (is_key ? Qt::AlignLeft : Qt::AlignRight), fitted);
}

void drawColumn(QPainter& painter, const TokenPanel& panel, const TokenPanelPlace& place, bool is_key,
                const Style& style) {
  painter.setFont(style.font(place.label_pixels));
  painter.setPen(style.ink);
  if (!place.labels(is_key).isEmpty())
    for (std::int64_t k = 0; k < panel.count(is_key); k += place.label_step)
      drawLabel(painter, place, is_key, k, panel.label(is_key, k));
  // Where names are left out, a token is still to be seen.
  const double radius = std::clamp(place.pitch / 5, 0.6, 1.6);
  painter.setPen(Qt::NoPen);
  painter.setBrush(style.mute);
  for (std::int64_t k = 0; k < panel.count(is_key); ++k) painter.drawEllipse(place.end(is_key, k), radius, radius);
}

void drawTitles(QPainter& painter, const TokenPanel& panel, const TokenPanelPlace& place, const Style& style) {
  if (place.query_title.isEmpty()) return;
  painter.setFont(style.font(tick_pixels));
  painter.setPen(style.mute);
  const QFontMetricsF metrics(painter.font());
  const auto fitted = [&](const Axis& axis, const QRectF& room) {
    return metrics.elidedText(axisTitle(axis, style), Qt::ElideRight, room.width());
  };
  painter.drawText(place.query_title, Qt::AlignLeft | Qt::AlignVCenter, fitted(panel.map->rows, place.query_title));
  painter.drawText(place.key_title, Qt::AlignRight | Qt::AlignVCenter, fitted(panel.map->cols, place.key_title));
}

void drawPanel(QPainter& painter, const TokenPanel& panel, const TokenPanelPlace& place, const Style& style) {
  if (!panel.map) return drawSentence(painter, place.area, panel.sentence, style);
  if (place.pitch <= 0) return;
  drawTitles(painter, panel, place, style);
  const double crowd = crowding(panel, place);
  for (const TokenLine& line : panel.lines) {
    painter.setPen(linePen(panel.colour, line.weight, place.pitch, crowd));
    painter.drawLine(place.end(false, line.query), place.end(true, line.key));
  }
  for (const bool is_key : {false, true}) drawColumn(painter, panel, place, is_key, style);
}

/// Lines of a few weights, as wide and dark as in the first panel.
void drawWeightKey(QPainter& painter, const TokenScene& scene, const TokenLayout& layout) {
  constexpr std::array weights{0.05, 0.25, 1.0};
  constexpr double stroke = 22;
  const QRectF& area = layout.key;
  const auto drawn = std::ranges::find_if(layout.panels, [](const TokenPanelPlace& place) { return place.pitch > 0; });
  if (area.isEmpty() || drawn == layout.panels.end()) return;
  painter.setFont(scene.style.font(tick_pixels));
  const QFontMetricsF metrics(painter.font());
  double left = area.left();
  const auto write = [&](const QString& text, double gap) {
    painter.setPen(scene.style.mute);
    painter.drawText(QRectF(left, area.top(), area.right() - left, area.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     text);
    left += metrics.horizontalAdvance(text) + gap;
  };
  write(scene.style.text(scene.first()->map->value), 8);
  const auto place = static_cast<std::size_t>(drawn - layout.panels.begin());
  const double crowd = crowding(scene.panels[place], *drawn);
  for (const double weight : weights) {
    painter.setPen(linePen(scene.style.ink, weight, drawn->pitch, crowd));
    painter.drawLine(QPointF(left, area.center().y()), QPointF(left + stroke, area.center().y()));
    left += stroke + 4;
    write(numberText(weight), 12);
  }
}

/// The token whose weights are shown.
void drawChosen(QPainter& painter, const TokenPanel& panel, const TokenPanelPlace& place, const Token& token,
                const Style& style) {
  const QPointF end = place.end(token.is_key, token.index);
  painter.setPen(Qt::NoPen);
  painter.setBrush(panel.colour);
  painter.drawEllipse(end, 3, 3);
  const QRectF& column = place.labels(token.is_key);
  if (column.isEmpty()) return;
  const double height = place.label_pixels + 4;
  const QRectF behind(column.left() - 3, end.y() - height / 2, column.width() + 6, height);
  painter.setBrush(style.panel);
  painter.drawRect(behind);  // a name close by must not shine through
  painter.setBrush(style.hover);
  painter.drawRoundedRect(behind, 3, 3);
  painter.setFont(style.font(place.label_pixels, true));
  painter.setPen(style.ink);
  drawLabel(painter, place, token.is_key, token.index, panel.label(token.is_key, token.index));
}

/// The names of the other column with their weights; where there is no room for all, those of the largest.
void drawOthers(QPainter& painter, const TokenScene& scene, const TokenPanel& panel, const TokenPanelPlace& place,
                const Token& token, double number_width, std::optional<std::int64_t> marked) {
  const bool is_key = !token.is_key;
  const Style& style = scene.style;
  const QRectF& column = place.labels(is_key);
  std::vector<std::int64_t> written;
  const auto hasRoom = [&](std::int64_t index) {
    const auto closeTo = [&](std::int64_t other) {
      return std::abs(static_cast<double>(other - index)) * place.pitch < place.label_pixels;
    };
    return std::ranges::none_of(written, closeTo);
  };
  for (const TokenWeight& other : weightsOf(panel, token)) {
    if (!hasRoom(other.index)) continue;
    written.push_back(other.index);
    painter.setPen(other.weight >= scene.least ? style.ink : style.mute);
    painter.setFont(style.font(place.label_pixels, other.index == marked));
    if (!column.isEmpty()) drawLabel(painter, place, is_key, other.index, panel.label(is_key, other.index));
    if (number_width <= 0) continue;
    painter.setFont(style.digits(place.label_pixels - 1));
    const QPointF end = place.end(is_key, other.index);
    const double left = is_key ? end.x() - number_width : end.x();
    painter.drawText(QRectF(left, end.y() - 10, number_width, 20), Qt::AlignRight | Qt::AlignVCenter,
                     weightText(other.weight));
  }
  // Tokens that the mask hides from this one.
  painter.setFont(style.font(place.label_pixels));
  painter.setPen(style.missing);
  for (std::int64_t k = 0; k < panel.count(is_key) && !column.isEmpty(); ++k)
    if (hasRoom(k)) {
      written.push_back(k);
      drawLabel(painter, place, is_key, k, panel.label(is_key, k));
    }
}

void drawTokenLines(QPainter& painter, const TokenPanel& panel, const TokenPanelPlace& place, const Token& token,
                    double number_width) {
  const double beside = number_width > 0 ? number_width + number_gap : 0;
  for (const TokenLine& line : panel.lines) {
    if ((token.is_key ? line.key : line.query) != token.index) continue;
    QPointF query = place.end(false, line.query);
    QPointF key = place.end(true, line.key);
    if (token.is_key)
      query.rx() += beside;
    else
      key.rx() -= beside;
    painter.setPen(linePen(panel.colour, line.weight, place.pitch, 0, least_opacity_alone));
    painter.drawLine(query, key);
  }
}

}  // namespace

void drawTokens(QPainter& painter, const QRectF& target, const TokenScene& scene, const TokenLayout& layout) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t f = 0; f < scene.failures.size(); ++f)
    drawNotice(painter, layout.failures[f], scene.failures[f], scene.style);
  if (!scene.nothing.isEmpty()) drawSentence(painter, target, scene.nothing, scene.style);
  drawWeightKey(painter, scene, layout);
  for (std::size_t p = 0; p < layout.panels.size(); ++p) {
    const TokenPanel& panel = scene.panels[p];
    const QRectF& caption = layout.panels[p].caption;
    if (!caption.isEmpty()) drawKey(painter, caption, panel.colour, panel.caption, scene.style);
    drawPanel(painter, panel, layout.panels[p], scene.style);
  }
  painter.setFont(scene.style.font(note_pixels));
  painter.setPen(scene.style.mute);
  if (!layout.notes.isEmpty())
    painter.drawText(layout.notes, Qt::AlignLeft | Qt::AlignBottom, layout.note_lines.join(QLatin1Char('\n')));
  if (scene.stale) drawStaleVeil(painter, target, scene.style);
  painter.restore();
}

void drawTokenHover(QPainter& painter, const TokenScene& scene, const TokenLayout& layout, const Hover& hover) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t p = 0; p < layout.panels.size(); ++p) {
    const TokenPanel& panel = scene.panels[p];
    const TokenPanelPlace& place = layout.panels[p];
    const std::optional<Token> token = hoveredToken(scene, p, hover);
    if (!token || place.pitch <= 0) continue;
    painter.fillRect(place.area.adjusted(-4, -1, 4, 1), scene.style.panel);
    drawTitles(painter, panel, place, scene.style);
    const QFontMetricsF digits(scene.style.digits(place.label_pixels - 1));
    double number_width = digits.horizontalAdvance(weightText(1));
    if (number_width + number_gap + shortest_line > place.lines.width()) number_width = 0;
    drawTokenLines(painter, panel, place, *token, number_width);
    // A pair pointed at elsewhere: the key among those of its query.
    std::optional<std::int64_t> marked;
    if (hover.i && hover.j) marked = std::llround((*hover.j - panel.map->cols.first) / panel.map->cols.step);
    drawOthers(painter, scene, panel, place, *token, number_width, marked);
    drawColumn(painter, panel, place, token->is_key, scene.style);
    drawChosen(painter, panel, place, *token, scene.style);
  }
  painter.restore();
}

}  // namespace posiscope::ui

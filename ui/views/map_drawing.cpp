// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_drawing.h"

#include "core/slow_field.h"
#include "ui/paint/colour_bar.h"
#include "ui/paint/kind_mark.h"
#include "ui/paint/notice.h"
#include "ui/views/curve_strip.h"
#include "ui/views/map_caption.h"
#include "ui/views/map_draft.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>
#include <QPainter>
#include <set>
#include <string>

namespace posiscope::ui {
namespace {

constexpr double key_least_width = 38;  // narrower captions are coloured numbers without a square

void drawFrame(QPainter& painter, const QRectF& plot, const QColor& colour, double width = 1) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
  painter.setBrush(Qt::NoBrush);
  const double out = width / 2;
  painter.drawRect(plot.adjusted(-out, -out, out, out));
  painter.restore();
}

/// In the colour of the head's kind where it has one; that of the chosen head is wider.
void drawFrame(QPainter& painter, const QRectF& plot, const MapPanel& panel, const Style& style) {
  if (!panel.kind) return drawFrame(painter, plot, style.line);
  drawFrame(painter, plot, kindColour(*panel.kind, style), panel.outlined ? 3 : 1);
}

/// The scheme, or "A − B" of two, and the width it took.
double drawSchemeKey(QPainter& painter, const QRectF& area, const MapPanel& panel, const QString& text,
                     const Style& style) {
  if (panel.minus.isEmpty()) return drawKey(painter, area, panel.colour, text, style);
  const QString sign = QStringLiteral(" − ");
  const double sign_width = QFontMetricsF(style.font(11)).horizontalAdvance(sign);
  // Half for each, or what the other one leaves.
  constexpr double square = 15;
  const double second = square + QFontMetricsF(style.font(11)).horizontalAdvance(panel.minus);
  const double half = (area.width() - sign_width) / 2;
  QRectF rest = area;
  rest.setWidth(std::max({key_least_width, half, area.width() - sign_width - second}));
  const double first = drawKey(painter, rest, panel.colour, text, style);
  painter.setFont(style.font(11));
  painter.setPen(style.ink);
  painter.drawText(QRectF(area.left() + first, area.top(), sign_width, area.height()), Qt::AlignCenter, sign);
  rest.setLeft(area.left() + first + sign_width);
  rest.setRight(std::max(area.right(), rest.left() + key_least_width));
  return first + sign_width + drawKey(painter, rest, panel.minus_colour, panel.minus, style);
}

/// Names each scheme once, where the captions are heads.
void drawLegend(QPainter& painter, const MapScene& scene, const QRectF& area) {
  double left = area.left();
  std::optional<int> last;
  for (const MapPanel& panel : scene.panels) {
    if (panel.scheme == last) continue;
    last = panel.scheme;
    const double room = std::min(panel.minus.isEmpty() ? 220.0 : 440.0, area.right() - left);
    if (room < 30) return;
    left += drawSchemeKey(painter, QRectF(left, area.top(), room, area.height()), panel, panel.name, scene.style) + 18;
  }
}

/// "0 – 0.31" at the right of the caption, when there is no room for a bar.
QString limitsText(const MapPanel& panel) {
  const ValueScale& scale = panel.look.scale;
  const double half = scale.whole ? 0.5 : 0;
  return numberText(scale.low + half, 2) + QStringLiteral(" … ") + numberText(scale.high - half, 2);
}

/// "3 · local"; where that is too long its number, for the key at the top names the colour.
void drawKindCaption(QPainter& painter, const QRectF& area, const MapPanel& panel, const Style& style) {
  constexpr double square = 15;
  const QFontMetricsF metrics(style.font(11));
  const bool whole = square + metrics.horizontalAdvance(panel.caption) <= area.width();
  const QString text = whole ? panel.caption : panel.caption.section(QStringLiteral(" · "), 0, 0);
  const QColor colour = kindColour(*panel.kind, style);
  if (square + metrics.horizontalAdvance(text) <= area.width()) {
    drawKey(painter, area, colour, text, style);
    return;
  }
  painter.setFont(style.font(9));
  painter.setPen(colour);
  painter.drawText(area, Qt::AlignCenter, text);
}

void drawCaption(QPainter& painter, const MapScene& scene, const PanelPlace& place, const MapPanel& panel,
                 bool short_captions) {
  QRectF area = place.caption;
  // What stands at the right stands over the plot, not beside it.
  const QRectF above(area.topLeft(), QSizeF(place.plot.width(), area.height()));
  if (!scene.one_scale && place.bar.isEmpty() && panel.map) {
    painter.setFont(scene.style.font(9));
    const QString limits = limitsText(panel);
    const double width = QFontMetricsF(painter.font()).horizontalAdvance(limits);
    if (width + 30 < above.width()) {
      painter.setPen(scene.style.mute);
      painter.drawText(above, Qt::AlignRight | Qt::AlignVCenter, limits);
      area.setRight(above.right() - width - 6);
    }
  }
  if (panel.kind) return drawKindCaption(painter, area, panel, scene.style);
  if (area.width() >= key_least_width) {
    if (!scene.legend) return void(drawSchemeKey(painter, area, panel, panel.caption, scene.style));
    constexpr double square = 14;
    const QFontMetricsF metrics(scene.style.font(11));
    const QString text = captionText(panel, short_captions, area.width() - square, metrics);
    // A number that has no room beside the square stands without it, smaller.
    if (panel.brief.isEmpty() || metrics.horizontalAdvance(text) <= area.width() - square)
      return void(drawKey(painter, area, panel.colour, text, scene.style));
  }
  const bool numbered = !panel.brief.isEmpty();  // its number is never cut
  painter.setFont(scene.style.font(numbered ? 8 : 9));
  painter.setPen(panel.colour);
  painter.drawText(area, Qt::AlignCenter | (numbered ? Qt::TextDontClip : 0),
                   captionText(panel, short_captions, area.width(), QFontMetricsF(painter.font())));
}

/// The chosen cell: light inside dark, so that it stands out on every colour.
void drawChosen(QPainter& painter, const MapScene& scene, const PanelPlace& place, const Map& map) {
  if (!scene.chosen || scene.chosen->row >= map.field->rows() || scene.chosen->col >= map.field->cols()) return;
  const FieldWindow window = visibleWindow(scene, map);
  const double width = place.plot.width() / window.cols;
  const double height = place.plot.height() / window.rows;
  const QRectF cell(place.plot.left() + (static_cast<double>(scene.chosen->col) - window.col) * width,
                    place.plot.top() + (static_cast<double>(scene.chosen->row) - window.row) * height, width, height);
  if (!place.plot.adjusted(-1, -1, 1, 1).contains(cell)) return;
  constexpr double least_side = 7;  // a smaller cell gets a frame around it
  const double out = std::max(0.0, (least_side - std::min(width, height)) / 2);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(QColor(0, 0, 0, 220), 3));
  painter.drawRect(cell.adjusted(-out, -out, out, out));
  painter.setPen(QPen(QColor(255, 255, 255), 1.2));
  painter.drawRect(cell.adjusted(-out, -out, out, out));
}

void drawPanel(QPainter& painter, const MapScene& scene, const PanelPlace& place, const MapPanel& panel,
               bool short_captions, HeatmapSampler& sampler) {
  const Style& style = scene.style;
  if (!place.caption.isEmpty()) drawCaption(painter, scene, place, panel, short_captions);
  if (!panel.map) {
    drawFrame(painter, place.plot, style.line);
    drawSentence(painter, place.plot, panel.sentence, style);
    return;
  }
  const FieldWindow window = visibleWindow(scene, *panel.map);
  if (panel.former)
    drawDraft(painter, place.plot, panel, window, style, sampler);
  else
    drawHeatmap(painter, place.plot, panel.map->field, window, panel.look, sampler);
  if (sampler.unfinished()) drawEstimateTag(painter, place.plot, style);
  drawFrame(painter, place.plot, panel, style);
  drawCellNumbers(painter, place.plot, *panel.map->field, window, panel.look, style);
  drawChosen(painter, scene, place, *panel.map);
  drawLeftAxis(painter, place.plot, place.rows, true, style);
  drawBottomAxis(painter, place.columnSide(), place.cols, style);
  if (!place.bar.isEmpty()) {
    const QString title = style.text(panel.map->value);
    drawColourBar(painter, place.bar, *panel.look.map, panel.look.scale, title, style);
  }
}

/// Has the symbol a member of its own in a hover?
bool isNamed(const std::string& symbol) {
  static const std::set<std::string> named{"i", "j", "p", "d", "n", "h"};
  return symbol.empty() || named.contains(symbol);
}

QPen lightUnder(const Style& style) {
  QColor colour = style.panel;
  colour.setAlphaF(0.55F);
  return QPen(colour, 3);
}

/// A dashed line of ink on a wider one of the background: visible on every colour of a map.
void drawCrossLine(QPainter& painter, QPointF from, QPointF to, const Style& style) {
  painter.setPen(lightUnder(style));
  painter.drawLine(from, to);
  QPen pen(style.ink, 1);
  pen.setDashPattern({3, 3});
  painter.setPen(pen);
  painter.drawLine(from, to);
}

/// Where the middle of a cell is, as a share of the side; empty when not visible.
std::optional<double> shareOf(double index, double start, double shown) {
  const double share = (index + 0.5 - start) / shown;
  if (share < 0 || share > 1) return std::nullopt;
  return share;
}

/// The keys at one distance from their queries: a diagonal.
void drawDiagonal(QPainter& painter, const QRectF& plot, const Map& map, const FieldWindow& window, double offset,
                  const Style& style) {
  // i = j + offset, with i = rows.first + row and so on; from the left edge to the right one, cut at top and bottom.
  const double shift = offset + map.cols.first - map.rows.first;
  const auto rowAt = [&](double col) { return col + shift; };
  double from = window.col;
  double to = window.col + window.cols;
  from = std::max(from, window.row - shift);
  to = std::min(to, window.row + window.rows - shift);
  if (from >= to) return;
  const auto point = [&](double col) {
    return QPointF(plot.left() + (col - window.col) / window.cols * plot.width(),
                   plot.top() + (rowAt(col) - window.row) / window.rows * plot.height());
  };
  drawCrossLine(painter, point(from), point(to), style);
}

void drawCrossHair(QPainter& painter, const MapScene& scene, const PanelPlace& place, const Map& map,
                   const Hover& hover) {
  const FieldWindow window = visibleWindow(scene, map);
  const QRectF& plot = place.plot;
  const auto row = hoveredRow(map, hover);
  const auto col = hoveredColumn(map, hover);
  if (row)
    if (const auto share = shareOf(static_cast<double>(*row), window.row, window.rows)) {
      const double y = plot.top() + *share * plot.height();
      drawCrossLine(painter, {plot.left(), y}, {plot.right(), y}, scene.style);
    }
  if (col)
    if (const auto share = shareOf(static_cast<double>(*col), window.col, window.cols)) {
      const double x = plot.left() + *share * plot.width();
      drawCrossLine(painter, {x, plot.top()}, {x, place.columnSide().bottom()}, scene.style);
    }
  if (!row && !col && hover.offset && map.rows.symbol == "i" && map.cols.symbol == "j")
    drawDiagonal(painter, plot, map, window, *hover.offset, scene.style);
}

/// A pair pointed at elsewhere is two columns where an axis has dimensions.
std::vector<Hover> markedIn(const MapPanel& panel, const Hover& hover) {
  const bool by_dimension = panel.map->rows.symbol == "d" || panel.map->cols.symbol == "d";
  if (!by_dimension || hover.dim || !hover.pair) return {hover};
  std::vector<Hover> marked;
  for (const double dim : panel.pairs.dimensionsOf(*hover.pair)) {
    marked.push_back(hover);
    marked.back().dim = dim;
  }
  return marked.empty() ? std::vector{hover} : marked;
}

}  // namespace

void drawMaps(QPainter& painter, const QRectF& target, const MapScene& scene, const MapLayout& layout,
              std::vector<HeatmapSampler>& samplers) {
  const Style& style = scene.style;
  samplers.resize(scene.panels.size());
  painter.save();
  for (std::size_t f = 0; f < scene.failures.size(); ++f)
    drawNotice(painter, layout.failures[f], scene.failures[f], style);
  if (scene.panels.empty() && !scene.nothing.isEmpty()) drawSentence(painter, target, scene.nothing, style);
  if (!layout.legend.isEmpty()) drawLegend(painter, scene, layout.legend);
  if (!layout.key.isEmpty()) drawKindKey(painter, layout.key, scene.kinds, style);
  const bool short_captions = !captionsFit(scene, layout);
  for (std::size_t p = 0; p < scene.panels.size(); ++p)
    drawPanel(painter, scene, layout.panels[p], scene.panels[p], short_captions, samplers[p]);
  const MapPanel* first = scene.first();
  if (first && !layout.bar.isEmpty()) {
    if (scene.one_scale)
      drawColourBar(painter, layout.bar, *first->look.map, first->look.scale, scene.valueTitle(), style);
    else
      drawUnnumberedBar(painter, layout.bar, *first->look.map, style);
  }
  if (!layout.strip.isEmpty()) drawCurveStrip(painter, layout.strip, scene.strip, style);
  if (!layout.notes.isEmpty()) {
    painter.setFont(style.font(note_pixels));
    painter.setPen(style.mute);
    painter.drawText(layout.notes, Qt::AlignLeft | Qt::AlignVCenter, layout.note_lines.join(QLatin1Char('\n')));
  }
  if (scene.stale) drawStaleVeil(painter, target, style);
  painter.restore();
}

static void drawProfileHint(QPainter& painter, const QRectF& profile, const Style& style) {
  painter.setFont(style.font(10));
  painter.setPen(style.mute);
  painter.drawText(
      profile, Qt::AlignCenter | Qt::TextWordWrap,
      style.text({"Point at the map: its row and column are drawn here", "指向图中一处，这里画出该行与该列"}));
}

void drawMapHover(QPainter& painter, const MapScene& scene, const MapLayout& layout, const Hover& hover) {
  painter.save();
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    const MapPanel& panel = scene.panels[p];
    if (!panel.map) continue;
    const PanelPlace& place = layout.panels[p];
    drawProfiles(painter, place.right_profile, place.bottom_profile, *panel.map, visibleWindow(scene, *panel.map),
                 panel.look.scale, hover, panel.colour, scene.style);
    for (const Hover& marked : markedIn(panel, hover)) drawCrossHair(painter, scene, place, *panel.map, marked);
    if (hover.view.empty() && !place.bottom_profile.isEmpty())
      drawProfileHint(painter, place.bottom_profile, scene.style);
  }
  if (!layout.strip.isEmpty()) drawStripHover(painter, layout.strip, scene.strip, hover, scene.style);
  painter.restore();
}

std::optional<MapCell> mapCellAt(const MapScene& scene, const MapLayout& layout, QPointF point, double density) {
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    const QRectF& plot = layout.panels[p].plot;
    if (!scene.panels[p].map || !plot.contains(point)) continue;
    const Map& map = *scene.panels[p].map;
    const FieldWindow window = visibleWindow(scene, map);
    const int width = std::max(1, qRound(plot.width() * density));
    const int height = std::max(1, qRound(plot.height() * density));
    const int x = std::clamp(static_cast<int>(std::floor((point.x() - plot.left()) * density)), 0, width - 1);
    const int y = std::clamp(static_cast<int>(std::floor((point.y() - plot.top()) * density)), 0, height - 1);
    const MapCell cell{p, cellAt(window.row, window.rows, height, y), cellAt(window.col, window.cols, width, x)};
    if (cell.row < 0 || cell.row >= map.field->rows() || cell.col < 0 || cell.col >= map.field->cols()) return {};
    return cell;
  }
  return {};
}

Hover hoverOf(const MapScene& scene, const MapCell& cell) {
  const MapPanel& panel = scene.panels[cell.panel];
  const Map& map = *panel.map;
  Hover hover;
  const auto put = [&hover](const Axis& axis, std::int64_t index) {
    const double place = axis.first + static_cast<double>(index) * axis.step;
    if (axis.symbol == "i") hover.i = place;
    if (axis.symbol == "j") hover.j = place;
    if (axis.symbol == "p") hover.pair = place;
    if (axis.symbol == "d") hover.dim = place;
    if (axis.symbol == "n") hover.offset = place;
    if (axis.symbol == "h") hover.head = static_cast<int>(place);
    if (!isNamed(axis.symbol)) hover.other[axis.symbol] = place;
  };
  put(map.rows, cell.row);
  put(map.cols, cell.col);
  if (map.patches) {
    hover.i = map.patches->query;
    hover.j = map.patches->first + static_cast<double>(cell.row * map.patches->width + cell.col);
  }
  if (hover.i && hover.j) hover.offset = *hover.i - *hover.j;
  if (hover.dim) hover.pair = panel.pairs.pairOf(*hover.dim);
  if (panel.head >= 0) hover.head = panel.head;
  if (panel.scheme >= 0) hover.scheme = panel.scheme;
  hover.difference = !panel.minus.isEmpty();
  if (isKnown(*map.field, cell.row)) hover.value = map.field->at(cell.row, cell.col);
  return hover;
}

namespace {

std::optional<std::int64_t> hoveredIndex(const Axis& axis, std::int64_t cells, const Hover& hover) {
  std::optional<double> place;
  if (axis.symbol == "i") place = hover.i;
  if (axis.symbol == "j") place = hover.j;
  if (axis.symbol == "p") place = hover.pair;
  if (axis.symbol == "d") place = hover.dim;
  if (axis.symbol == "n") place = hover.offset;
  if (axis.symbol == "h" && hover.head) place = *hover.head;
  if (const auto other = hover.other.find(axis.symbol); other != hover.other.end()) place = other->second;
  if (!place || axis.step == 0) return std::nullopt;
  const double index = std::round((*place - axis.first) / axis.step);
  if (index < 0 || index >= static_cast<double>(cells)) return std::nullopt;
  return static_cast<std::int64_t>(index);
}

/// The patch at the key of a pair, or at a position, that is pointed at elsewhere; empty outside the image.
std::optional<MapCell> hoveredPatch(const Map& map, const Hover& hover) {
  const std::optional<double> position = hover.j ? hover.j : hover.i;
  if (!map.patches || !position || !hover.other.empty()) return std::nullopt;
  const std::int64_t patch = std::llround(*position - map.patches->first);
  if (patch < 0 || patch >= map.field->rows() * map.patches->width) return std::nullopt;
  return MapCell{0, patch / map.patches->width, patch % map.patches->width};
}

}  // namespace

std::optional<std::int64_t> hoveredRow(const Map& map, const Hover& hover) {
  if (const auto patch = hoveredPatch(map, hover)) return patch->row;
  return hoveredIndex(map.rows, map.field->rows(), hover);
}

std::optional<std::int64_t> hoveredColumn(const Map& map, const Hover& hover) {
  if (const auto patch = hoveredPatch(map, hover)) return patch->col;
  return hoveredIndex(map.cols, map.field->cols(), hover);
}

}  // namespace posiscope::ui

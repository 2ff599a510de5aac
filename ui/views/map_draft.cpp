// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_draft.h"

#include "ui/paint/notice.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>
#include <QPainter>

namespace posiscope::ui {
namespace {

bool isDraft(const MapPanel& panel) { return panel.map && panel.dataset->draft; }

bool sameAxis(const Axis& a, const Axis& b) { return a.symbol == b.symbol && a.first == b.first && a.step == b.step; }

bool samePlace(const MapPanel& a, const MapPanel& b) {
  return a.map && b.map && a.scheme == b.scheme && a.map->key == b.map->key && a.map->value == b.map->value &&
         sameAxis(a.map->rows, b.map->rows) && sameAxis(a.map->cols, b.map->cols) &&
         a.map->field->rows() == b.map->field->rows() && a.map->field->cols() == b.map->field->cols();
}

/// How many cells of an axis are known: the first ones.
template <class Known>
std::int64_t knownCells(std::int64_t cells, Known known) {
  std::int64_t least = 0;
  std::int64_t most = cells;
  while (least < most) {
    const std::int64_t middle = least + (most - least) / 2;
    if (known(middle))
      least = middle + 1;
    else
      most = middle;
  }
  return least;
}

}  // namespace

bool isDraft(const MapScene& scene) {
  return std::ranges::any_of(scene.panels, [](const MapPanel& panel) { return isDraft(panel); });
}

void layOver(MapScene& draft, const MapScene& former) {
  if (draft.panels.size() != former.panels.size()) return;
  for (std::size_t p = 0; p < draft.panels.size(); ++p) {
    MapPanel& panel = draft.panels[p];
    const MapPanel& before = former.panels[p];
    if (!isDraft(panel) || !samePlace(panel, before)) continue;
    panel.former = before.map;
    panel.former_dataset = before.dataset;
    panel.look.scale = before.look.scale;
  }
}

QRectF knownPart(const Map& map, const QRectF& plot, const FieldWindow& window) {
  const Field& field = *map.field;
  const auto rows = static_cast<double>(knownCells(field.rows(), [&](auto r) { return !std::isnan(field.at(r, 0)); }));
  const auto cols = static_cast<double>(knownCells(field.cols(), [&](auto c) { return !std::isnan(field.at(0, c)); }));
  const double bottom = plot.top() + (rows - window.row) / window.rows * plot.height();
  const double right = plot.left() + (cols - window.col) / window.cols * plot.width();
  const QRectF known(plot.topLeft(), QPointF(std::min(right, plot.right()), std::min(bottom, plot.bottom())));
  return known.width() > 0 && known.height() > 0 ? known : QRectF();
}

void drawEstimateTag(QPainter& painter, const QRectF& plot, const Style& style) {
  const QString text = style.text({"draft: sums of rows from some of their keys", "草稿：各行之和由部分键估计"});
  painter.save();
  painter.setFont(style.font(10));
  const QFontMetricsF metrics(painter.font());
  constexpr double inside = 5;  // around the text
  QRectF tag(0, 0, std::min(plot.width(), metrics.horizontalAdvance(text) + 2 * inside), metrics.height() + inside);
  tag.moveBottomRight(plot.bottomRight());
  painter.fillRect(tag, style.panel);
  painter.setPen(style.mute);
  painter.drawText(tag.adjusted(inside, 0, -inside, 0), Qt::AlignCenter,
                   metrics.elidedText(text, Qt::ElideRight, tag.width() - 2 * inside));
  painter.restore();
}

void drawDraft(QPainter& painter, const QRectF& plot, const MapPanel& panel, const FieldWindow& window,
               const Style& style, HeatmapSampler& sampler) {
  drawHeatmap(painter, plot, panel.former->field, window, panel.look, sampler);
  drawStaleVeil(painter, plot, style);
  const QRectF known = knownPart(*panel.map, plot, window);
  if (known.isEmpty()) return;
  HeatmapSampler fresh;
  const FieldWindow part{window.row, window.col, window.rows * known.height() / plot.height(),
                         window.cols * known.width() / plot.width()};
  drawHeatmap(painter, known, panel.map->field, part, panel.look, fresh);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(style.mute, 1, Qt::DotLine));
  painter.drawRect(known.adjusted(-0.5, -0.5, 0.5, 0.5));
  painter.restore();
}

}  // namespace posiscope::ui

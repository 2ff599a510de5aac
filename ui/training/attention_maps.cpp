// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/attention_maps.h"

#include "ui/controls/theme.h"
#include "ui/paint/colour_bar.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>

namespace posiscope::ui {
namespace {

constexpr double head = 36;  ///< two lines above each map
constexpr double gap = 12;
constexpr double bar_width = 64;

FieldWindow whole(const Field& field) {
  return {0, 0, static_cast<double>(field.rows()), static_cast<double>(field.cols())};
}

}  // namespace

AttentionMaps::AttentionMaps(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void AttentionMaps::setPanels(std::vector<AttentionPanel> panels) {
  panels_ = std::move(panels);
  samplers_.resize(panels_.size());
  for (auto& sampler : samplers_)
    if (!sampler) sampler = std::make_unique<HeatmapSampler>();
  update();
}

QRectF AttentionMaps::mapOf(std::size_t panel) const {
  // As many columns as make the squares largest.
  const double wide = width() - bar_width;
  const auto count = static_cast<int>(panels_.size());
  double side = 0;
  int columns = 1;
  for (int c = 1; c <= count; ++c) {
    const int rows = (count + c - 1) / c;
    const double s = std::min((wide - (c - 1) * gap) / c, (height() - (rows - 1) * gap) / rows - head);
    if (s > side) side = s, columns = c;
  }
  const auto p = static_cast<int>(panel);
  return {(p % columns) * (side + gap), (p / columns) * (side + head + gap) + head, std::floor(side), std::floor(side)};
}

void AttentionMaps::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Style& style = currentStyle();
  HeatmapLook look;
  look.map = &colourMap("auto", MapKind::sequential);
  look.scale = {ValueScale::Kind::linear, 0, 1};
  look.mask_colour = style.grid.rgb();
  look.missing_colour = style.missing.rgb();
  for (std::size_t p = 0; p < panels_.size(); ++p) {
    const AttentionPanel& panel = panels_[p];
    const QRectF map = mapOf(p);
    if (map.width() < 8) continue;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(panel.colour);
    painter.drawRoundedRect(QRectF(map.left(), map.top() - head + 3, 10, 10), 3, 3);
    painter.setFont(style.font(11, true));
    painter.setPen(style.ink);
    const auto line = [&](double top, double from, const QString& text) {
      const QRectF box(map.left() + from, top, map.width() - from, 16);
      painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                       QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, box.width()));
    };
    line(map.top() - head, 16, panel.name);
    painter.setFont(style.font(11));
    painter.setPen(style.mute);
    line(map.top() - head + 16, 0, panel.facts);
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (panel.weights) {
      drawHeatmap(painter, map, panel.weights, whole(*panel.weights), look, *samplers_[p]);
    } else {
      painter.fillRect(map, style.grid);
    }
  }
  if (panels_.empty()) return;
  const QRectF bar(width() - bar_width + gap, head, bar_width - gap, std::min(180.0, height() - head - 8));
  drawColourBar(painter, bar, *look.map, look.scale, {}, style);
}

void AttentionMaps::mouseMoveEvent(QMouseEvent* event) {
  for (std::size_t p = 0; p < panels_.size(); ++p) {
    const QRectF map = mapOf(p);
    if (!panels_[p].weights || !map.contains(event->position())) continue;
    const Field& field = *panels_[p].weights;
    const auto cell = [](double share, std::int64_t count) {
      return std::clamp<std::int64_t>(static_cast<std::int64_t>(share * static_cast<double>(count)), 0, count - 1);
    };
    const std::int64_t i = cell((event->position().y() - map.top()) / map.height(), field.rows());
    const std::int64_t j = cell((event->position().x() - map.left()) / map.width(), field.cols());
    return emit pointed(QStringLiteral("%1: i = %2, j = %3, a = %4")
                            .arg(panels_[p].name, numberText(static_cast<double>(i)),
                                 numberText(static_cast<double>(j)),
                                 numberText(static_cast<double>(field.at(i, j)), 3)));
  }
  emit pointed({});
}

void AttentionMaps::leaveEvent(QEvent*) { emit pointed({}); }

}  // namespace posiscope::ui

#include "moc_attention_maps.cpp"

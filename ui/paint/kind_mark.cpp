// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/kind_mark.h"

#include "ui/charts/blend.h"
#include "ui/paint/notice.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>
#include <QPainter>

namespace posiscope::ui {
namespace {

constexpr int word_pixels = 11;
constexpr double chip_inset = 7;
constexpr double key_line = 16;
constexpr double key_gap = 14;     // between two entries
constexpr double key_square = 15;  // and the gap after it

/// Where the entries of a key stand, from (0, 0).
std::vector<QRectF> keyPlaces(const std::vector<heads::Kind>& kinds, double width, const Style& style) {
  const QFontMetricsF metrics(style.font(word_pixels));
  std::vector<QRectF> places;
  QPointF next;
  for (const heads::Kind kind : kinds) {
    const double wanted = key_square + std::ceil(metrics.horizontalAdvance(style.text(heads::kindName(kind)))) + 1;
    if (next.x() > 0 && next.x() + wanted > width) next = {0, next.y() + key_line};
    places.emplace_back(next, QSizeF(std::min(wanted, width), key_line));
    next.rx() += wanted + key_gap;
  }
  return places;
}

/// Of the light that a colour sends, as people see it (WCAG 2).
double luminance(const QColor& colour) {
  const auto linear = [](double part) {
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

}  // namespace

QColor kindColour(heads::Kind kind, const Style& style) {
  switch (kind) {
    case heads::Kind::undetermined: return style.mute;
    case heads::Kind::local: return schemeColour(0);
    case heads::Kind::global: return schemeColour(2);
    case heads::Kind::specific: return schemeColour(1);
    case heads::Kind::periodic: return schemeColour(3);
    case heads::Kind::mixed: break;
  }
  return schemeColour(4);
}

QColor inkOn(const QColor& fill) {
  constexpr double equal_contrast = 0.179;  // black and white are equally far from it
  return luminance(fill) > equal_contrast ? QColor(0x1B, 0x1F, 0x24) : QColor(Qt::white);
}

double kindChipWidth(heads::Kind kind, const Style& style) {
  return std::ceil(QFontMetricsF(style.font(word_pixels)).horizontalAdvance(style.text(heads::kindName(kind)))) +
         2 * chip_inset;
}

void drawKindChip(QPainter& painter, const QRectF& area, heads::Kind kind, const Style& style) {
  const QColor colour = kindColour(kind, style);
  const double width = std::min(area.width(), kindChipWidth(kind, style));
  const double height = std::min(area.height(), 17.0);
  const QRectF chip(area.left(), area.center().y() - height / 2, width, height);
  painter.setPen(QPen(colour, 1));
  painter.setBrush(blend(colour, style.panel, style.dark ? 0.4 : 0.2));
  painter.drawRoundedRect(chip.adjusted(0.5, 0.5, -0.5, -0.5), height / 2, height / 2);
  painter.setFont(style.font(word_pixels));
  painter.setPen(style.ink);
  const QString word = QFontMetricsF(painter.font())
                           .elidedText(style.text(heads::kindName(kind)), Qt::ElideRight, width - 2 * chip_inset + 1);
  painter.drawText(chip, Qt::AlignCenter, word);
}

double kindKeyHeight(const std::vector<heads::Kind>& kinds, double width, const Style& style) {
  const std::vector<QRectF> places = keyPlaces(kinds, width, style);
  return places.empty() ? 0 : places.back().bottom();
}

void drawKindKey(QPainter& painter, const QRectF& area, const std::vector<heads::Kind>& kinds, const Style& style) {
  const std::vector<QRectF> places = keyPlaces(kinds, area.width(), style);
  for (std::size_t k = 0; k < kinds.size(); ++k)
    if (places[k].bottom() <= area.height() + 0.5)
      drawKey(painter, places[k].translated(area.topLeft()), kindColour(kinds[k], style),
              style.text(heads::kindName(kinds[k])), style);
}

}  // namespace posiscope::ui

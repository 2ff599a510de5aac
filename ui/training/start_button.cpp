// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/start_button.h"

#include "ui/charts/blend.h"
#include "ui/controls/theme.h"

#include <algorithm>
#include <QFontMetrics>
#include <QPainter>

namespace posiscope::ui {

QSize StartButton::sizeHint() const {
  constexpr int side = 20, least = 96, tall = 30;
  const int text_width = QFontMetrics(currentStyle().font(13, true)).horizontalAdvance(text());
  return {std::max(least, text_width + 2 * side), tall};
}

void StartButton::paintEvent(QPaintEvent*) {
  const Style& style = currentStyle();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  if (!isEnabled()) painter.setOpacity(0.35);
  painter.setPen(hasFocus() ? QPen(style.mute, 2) : QPen(Qt::NoPen));
  const bool pointed = isEnabled() && underMouse();  // a shade: grey would look as if it could not be pressed
  painter.setBrush(isDown()  ? blend(style.ink, style.panel, 0.75)
                   : pointed ? blend(style.ink, style.panel, 0.88)
                             : style.ink);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
  painter.setFont(style.font(13, true));
  painter.setPen(style.panel);
  painter.drawText(rect(), Qt::AlignCenter, text());
}

}  // namespace posiscope::ui

#include "moc_start_button.cpp"

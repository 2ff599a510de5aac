// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/switch.h"

#include "ui/controls/theme.h"

#include <QPainter>

namespace posiscope::ui {

Switch::Switch(QWidget* parent) : QAbstractButton(parent) {
  setCheckable(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Switch::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Style& style = currentStyle();
  const QRectF track = QRectF(rect()).adjusted(2, 2, -2, -2);
  const double radius = track.height() / 2;
  painter.setPen(QPen(isChecked() || hasFocus() ? style.ink : style.mute, 1));
  painter.setBrush(isChecked() ? style.ink : style.window);
  painter.drawRoundedRect(track, radius, radius);
  const double knob = radius - 3;
  const QPointF centre(isChecked() ? track.right() - radius : track.left() + radius, track.center().y());
  painter.setPen(Qt::NoPen);
  painter.setBrush(isChecked() ? style.panel : style.mute);
  painter.drawEllipse(centre, knob, knob);
  if (!hasFocus()) return;
  painter.setPen(QPen(style.ink, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius + 2, radius + 2);
}

}  // namespace posiscope::ui

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/value_slider.h"

#include "ui/controls/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

namespace posiscope::ui {
namespace {

constexpr double knob_radius = 6.5;
constexpr double margin = 7.5;  ///< so that the knob stays inside at both ends

}  // namespace

ValueSlider::ValueSlider(QWidget* parent) : QSlider(Qt::Horizontal, parent) {
  setRange(0, steps);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ValueSlider::setPosition(double position) {
  const QSignalBlocker quiet(this);
  setValue(static_cast<int>(std::clamp(position, 0.0, 1.0) * steps + 0.5));
  update();
}

double ValueSlider::positionAt(double x) const {
  return std::clamp((x - margin) / std::max(1.0, width() - 2 * margin), 0.0, 1.0);
}

void ValueSlider::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Style& style = currentStyle();
  const double y = height() / 2.0;
  const double left = 1.5;
  const double x = margin + position() * (width() - 2 * margin);
  const QColor ink = isEnabled() ? style.ink : style.mute;
  painter.setPen(QPen(style.line, 3, Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(QPointF(left, y), QPointF(width() - left, y));
  painter.setPen(QPen(ink, 3, Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(QPointF(left, y), QPointF(x, y));
  if (hasFocus()) {
    QColor halo = style.ink;
    halo.setAlphaF(0.15F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(halo);
    painter.drawEllipse(QPointF(x, y), knob_radius + 3, knob_radius + 3);
  }
  painter.setPen(QPen(ink, 2));
  painter.setBrush(style.panel);
  painter.drawEllipse(QPointF(x, y), knob_radius, knob_radius);
}

void ValueSlider::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  setSliderDown(true);
  emit dragged(positionAt(event->position().x()));
}

void ValueSlider::mouseMoveEvent(QMouseEvent* event) {
  if (isSliderDown()) emit dragged(positionAt(event->position().x()));
}

void ValueSlider::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !isSliderDown()) return;
  setSliderDown(false);
  emit released();
}

void ValueSlider::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) emit resetWanted();
}

void ValueSlider::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down: emit stepped(-1, event->modifiers()); return;
    case Qt::Key_Right:
    case Qt::Key_Up: emit stepped(1, event->modifiers()); return;
    case Qt::Key_PageDown: emit stepped(-1, event->modifiers() | Qt::ShiftModifier); return;
    case Qt::Key_PageUp: emit stepped(1, event->modifiers() | Qt::ShiftModifier); return;
    case Qt::Key_Home: emit dragged(0); return;
    case Qt::Key_End: emit dragged(1); return;
    case Qt::Key_Delete:
    case Qt::Key_Backspace: emit resetWanted(); return;
    default: event->ignore();
  }
}

void ValueSlider::keyReleaseEvent(QKeyEvent* event) {
  // A held key is one gesture.
  if (!event->isAutoRepeat()) emit released();
  event->ignore();
}

void ValueSlider::wheelEvent(QWheelEvent* event) {
  if (!hasFocus()) return event->ignore();  // the panel scrolls
  const int turn = event->angleDelta().y() + event->angleDelta().x();  // Alt turns the wheel sideways
  if (turn != 0) emit stepped(turn > 0 ? 1 : -1, event->modifiers());
  event->accept();
}

}  // namespace posiscope::ui

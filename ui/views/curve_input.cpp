// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Pointer and keyboard of the curve views.
#include "ui/views/curve_view.h"

#include <algorithm>
#include <cmath>
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QWheelEvent>
#include <utility>
#include "ui/controls/tip.h"

namespace posiscope::ui {

/// The notice in a strip; below the last strip's, those that found no room.
QString CurveView::noticesFrom(std::size_t strip) const {
  QStringList texts{plot_.notices[strip].text};
  for (std::size_t k = layout_.notices.size(); strip + 1 == layout_.notices.size() && k < plot_.notices.size(); ++k)
    texts << plot_.notices[k].text;
  return texts.join(QLatin1Char('\n'));
}

bool CurveView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::vector<QRectF>& strips = layout_.notices;
    for (std::size_t k = 0; drawable() && k < strips.size() && k < plot_.notices.size(); ++k)
      if (strips[k].contains(help->pos())) {
        showTip(*help, noticesFrom(k), this);
        return true;
      }
    const int group = drawable() ? layout_.legend.groupAt(help->pos()) : -1;
    showTip(*help, group < 0 ? QString() : plot_.groups[static_cast<std::size_t>(group)].name, this);
    return true;
  }
  return View::event(event);
}

void CurveView::resizeEvent(QResizeEvent*) { changePicture(); }

void CurveView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  pressed_ = event->position();
  dragged_ = false;
  selecting_ =
      event->modifiers().testFlag(Qt::ShiftModifier) && !axes().empty() && arranged().plot.contains(event->position());
}

/// The part of the plot between the press and a point: a selection takes all values of a range of the abscissa.
QRectF CurveView::selectedBand(QPointF point) const {
  const QRectF& plot = layout_.plot;
  const double from = std::min(pressed_->x(), point.x());
  const double to = std::max(pressed_->x(), point.x());
  return QRectF(from, plot.top(), to - from, plot.height()).intersected(plot);
}

void CurveView::mouseMoveEvent(QMouseEvent* event) {
  keepPointer(event->position());
  if (!pressed_) {
    pointAt(event->position());
    return;
  }
  if (selecting_) {
    arranged();
    showBand(selectedBand(event->position()));
    return;
  }
  const QPointF moved = event->position() - *pressed_;
  if (!dragged_ && moved.manhattanLength() < QApplication::startDragDistance()) return;
  if (arranged().plot.isEmpty()) return;
  dragged_ = true;
  pressed_ = event->position();
  setCursor(Qt::ClosedHandCursor);
  panBy(-moved.x() / layout_.plot.width(), isZoomed() ? moved.y() / layout_.plot.height() : 0);
}

void CurveView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !pressed_) return;
  constexpr double least_pixels = 4;
  if (std::exchange(selecting_, false)) {
    hideBand();
    const QRectF& plot = arranged().plot;
    const QRectF band = selectedBand(event->position());
    pressed_.reset();
    if (band.width() >= least_pixels)
      select(visibleX().value((band.left() - plot.left()) / plot.width()),
             visibleX().value((band.right() - plot.left()) / plot.width()));
    return pointAt(event->position());
  }
  const int group = drawable() ? arranged().legend.groupAt(*pressed_) : -1;
  if (!dragged_ && group >= 0 && layout_.legend.groupAt(event->position()) == group) isolate(group);
  pressed_.reset();
  pointAt(event->position());
}

void CurveView::mouseDoubleClickEvent(QMouseEvent* event) {
  const bool on_plot = event->button() == Qt::LeftButton && drawable() && arranged().plot.contains(event->position());
  if (on_plot)
    emit fitWanted();
  else
    mousePressEvent(event);  // a second click on a legend entry is a click
}

void CurveView::wheelEvent(QWheelEvent* event) {
  const double steps = event->angleDelta().y() / 120.0;
  if (steps == 0 || !drawable()) {
    event->ignore();
    return;
  }
  zoomBy(std::pow(0.8, steps), event->position(), event->modifiers() & Qt::ControlModifier);
  pointAt(event->position());
  event->accept();
}

void CurveView::keyPressEvent(QKeyEvent* event) {
  const QPointF middle = drawable() ? arranged().plot.center() : QPointF();
  const bool control = event->modifiers() & Qt::ControlModifier;
  const int coarse = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
  switch (event->key()) {
    // Where nothing can be panned the arrows move the reading; with Ctrl they always do.
    case Qt::Key_Left: control || !isZoomed() ? stepReading(-coarse) : panBy(-0.1, 0); break;
    case Qt::Key_Right: control || !isZoomed() ? stepReading(coarse) : panBy(0.1, 0); break;
    case Qt::Key_Up: panBy(0, 0.1); break;
    case Qt::Key_Down: panBy(0, -0.1); break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomBy(0.8, middle, control); break;
    case Qt::Key_Minus: zoomBy(1.25, middle, control); break;
    case Qt::Key_0: emit fitWanted(); break;
    case Qt::Key_S:
      if (!axes().empty()) select(visibleX().low, visibleX().high);
      break;
    default: View::keyPressEvent(event); return;
  }
  event->accept();
}

void CurveView::leaveEvent(QEvent* event) {
  unsetCursor();
  PictureView::leaveEvent(event);
}

}  // namespace posiscope::ui

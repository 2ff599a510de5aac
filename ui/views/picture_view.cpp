// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/picture_view.h"

#include "ui/paint/notice.h"

#include <QPainter>
#include <QRubberBand>

namespace posiscope::ui {
namespace {

// Panning in one view changes the presentation, which all views are told: those that look the same keep their picture.
bool samePicture(const ViewContext& a, const ViewContext& b) {
  return a.result == b.result && a.stopped == b.stopped && a.pinned == b.pinned && a.measure == b.measure && a.tile == b.tile &&
         a.style.dark == b.style.dark && a.style.language == b.style.language &&
         a.presentation.selection == b.presentation.selection && a.presentation.head == b.presentation.head &&
         a.presentation.selected == b.presentation.selected && a.experiment == b.experiment;
}

}  // namespace

PictureView::PictureView(QWidget* parent) : View(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMinimumSize(160, 120);
}

void PictureView::setContext(const ViewContext& context) {
  const bool same = told_ && samePicture(context, context_);
  context_ = context;
  told_ = true;
  if (same) return;
  contextChanged();
  invalidate();
  if (pointer_)
    pointAt(*pointer_);
  else
    readAgain();
}

void PictureView::setHover(const Hover& hover) {
  if (hover == hover_) return;
  hover_ = hover;
  update();
}

void PictureView::invalidate() {
  valid_ = false;
  update();
}

void PictureView::showBand(const QRectF& area) {
  if (!band_) band_ = new QRubberBand(QRubberBand::Rectangle, this);
  band_->setGeometry(area.toRect());
  band_->show();
}

void PictureView::hideBand() {
  if (band_) band_->hide();
}

void PictureView::emitHover(const Hover& hover) {
  if (hover == hover_) return;
  setHover(hover);
  emit hovered(hover);
}

void PictureView::paintEvent(QPaintEvent*) {
  const double ratio = devicePixelRatioF();
  const QSize pixels(qRound(width() * ratio), qRound(height() * ratio));
  if (picture_.size() != pixels || picture_.devicePixelRatio() != ratio) {
    picture_ = QPixmap(pixels);
    picture_.setDevicePixelRatio(ratio);
    valid_ = false;
  }
  if (!valid_) {
    picture_.fill(context_.style.panel);
    QPainter painter(&picture_);
    drawPicture(painter);
    valid_ = true;
  }
  QPainter painter(this);
  painter.drawPixmap(0, 0, picture_);
  drawPointer(painter);
  if (hasFocus()) drawFocusFrame(painter, rect(), context_.style);
}

void PictureView::leaveEvent(QEvent* event) {
  pointer_.reset();
  emitHover({});
  View::leaveEvent(event);
}

void PictureView::hideEvent(QHideEvent* event) {
  pointer_.reset();  // the leaving is not told to a widget that is hidden
  View::hideEvent(event);
}

void PictureView::focusInEvent(QFocusEvent* event) {
  update();
  View::focusInEvent(event);
}

void PictureView::focusOutEvent(QFocusEvent* event) {
  update();
  View::focusOutEvent(event);
}

}  // namespace posiscope::ui

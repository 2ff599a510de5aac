// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiles/tile_notice.h"

#include "ui/controls/flat_button.h"
#include "ui/controls/theme.h"
#include "ui/paint/notice.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

namespace posiscope::ui {

TileNotice::TileNotice(QWidget* parent) : QWidget(parent), text_(new QLabel(this)), button_(new FlatButton(this)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(32, 2, 12, 2);  // the strip's dot stands at the left
  row->setSpacing(8);
  text_->setTextFormat(Qt::PlainText);
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  button_->setLook(FlatButton::Look::link);
  row->addWidget(text_, 1);
  row->addWidget(button_);
  connect(button_, &QAbstractButton::clicked, this, &TileNotice::pressed);
  refresh();
}

void TileNotice::sayCancelled() { sayRefused({}); }

void TileNotice::sayRefused(const QString& sentence) {
  if (sentence == refused_) return;
  refused_ = sentence;
  refresh();
}

QString TileNotice::sentence() const { return text_->text(); }

void TileNotice::refresh() {
  text_->setText(refused_.isEmpty() ? tr("The computation was cancelled.") : refused_);
  button_->setVisible(refused_.isEmpty());
  button_->setText(tr("Compute again"));
  button_->setNames(tr("Compute again"));
  update();
}

void TileNotice::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  drawNotice(painter, QRectF(rect()).adjusted(8, 0, -8, 0), {}, currentStyle());
}

}  // namespace posiscope::ui

#include "moc_tile_notice.cpp"

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/section.h"

#include "ui/controls/theme.h"
#include "ui/controls/tip.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

namespace posiscope::ui {

Section::Section(QWidget* parent)
    : QWidget(parent), title_(new QLabel(this)), header_(new QHBoxLayout), body_(new QVBoxLayout) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 10, 12, 12);
  column->setSpacing(4);
  title_->setProperty("role", "section");
  title_->setTextFormat(Qt::PlainText);
  // As wide as the buttons beside it leave room for, however long it is.
  title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  title_->installEventFilter(this);
  header_->setContentsMargins(0, 0, 0, 0);
  header_->setSpacing(0);
  header_->addWidget(title_, 1);
  body_->setContentsMargins(0, 0, 0, 0);
  body_->setSpacing(8);
  column->addLayout(header_);
  column->addLayout(body_);
}

void Section::setTitle(const QString& title) {
  name_ = title;
  title_->setAccessibleName(title);
  fit();
}

void Section::fit() {
  const QString whole = name_.toUpper();
  const QString shown = title_->fontMetrics().elidedText(whole, Qt::ElideRight, title_->width());
  title_->setText(shown);
  title_->setToolTip(shown == whole ? QString() : literalTip(name_));  // without one, that of the section
}

bool Section::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize || event->type() == QEvent::FontChange) fit();
  return QWidget::eventFilter(watched, event);
}

void Section::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(QPen(currentStyle().line, 1));
  painter.drawLine(QPointF(0, height() - 0.5), QPointF(width(), height() - 0.5));
}

}  // namespace posiscope::ui

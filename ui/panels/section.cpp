// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/section.h"

#include "ui/controls/theme.h"

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
  header_->setContentsMargins(0, 0, 0, 0);
  header_->setSpacing(0);
  header_->addWidget(title_);
  header_->addStretch(1);
  body_->setContentsMargins(0, 0, 0, 0);
  body_->setSpacing(8);
  column->addLayout(header_);
  column->addLayout(body_);
}

void Section::setTitle(const QString& title) { title_->setText(title.toUpper()); }

void Section::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(QPen(currentStyle().line, 1));
  painter.drawLine(QPointF(0, height() - 0.5), QPointF(width(), height() - 0.5));
}

}  // namespace posiscope::ui

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/choice_box.h"

#include "ui/controls/icon.h"
#include "ui/controls/theme.h"

#include <QListView>
#include <QPainter>
#include <QWheelEvent>

namespace posiscope::ui {

ChoiceBox::ChoiceBox(QWidget* parent) : QComboBox(parent) {
  setView(new QListView(this));  // a plain list: the stylesheet reaches it, and long texts do not cut the popup
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void ChoiceBox::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Style& style = currentStyle();
  const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
  painter.setPen(QPen(hasFocus() ? style.ink : style.line, 1));
  painter.setBrush(underMouse() ? style.hover : style.window);
  painter.drawRoundedRect(box, 5, 5);
  painter.setPen(isEnabled() ? style.ink : style.mute);
  painter.setFont(font());
  const QRectF text = box.adjusted(7, 0, -22, 0);
  const QString tail = currentData(tail_role).toString();
  const QString head = currentText().chopped(tail.size());
  const auto room = static_cast<int>(text.width()) - fontMetrics().horizontalAdvance(tail);
  painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, fontMetrics().elidedText(head, Qt::ElideRight, room) + tail);
  paintIcon(painter, {box.right() - 20, box.center().y() - 7, 14, 14}, QStringLiteral("chevron"), style.ink);
}

void ChoiceBox::wheelEvent(QWheelEvent* event) {
  if (hasFocus())
    QComboBox::wheelEvent(event);
  else
    event->ignore();  // the panel scrolls
}

}  // namespace posiscope::ui

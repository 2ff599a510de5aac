// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/flat_button.h"

#include "ui/controls/icon.h"
#include "ui/controls/theme.h"

#include <QKeyEvent>
#include <QPainter>

namespace posiscope::ui {
namespace {

constexpr int icon_size = 16;
constexpr int mark_size = 10;
constexpr int gap = 6;
constexpr int chevron_size = 12;

}  // namespace

FlatButton::FlatButton(QWidget* parent) : QAbstractButton(parent) {
  setFocusPolicy(Qt::TabFocus);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void FlatButton::setIconName(const QString& name) {
  icon_name_ = name;
  updateGeometry();
  update();
}

void FlatButton::setLook(Look look) {
  look_ = look;
  updateGeometry();
}

void FlatButton::setOpensMenu(bool opens) {
  opens_menu_ = opens;
  updateGeometry();
}

void FlatButton::setMark(const QColor& colour) {
  if (mark_ == colour) return;
  mark_ = colour;
  updateGeometry();
  update();
}

void FlatButton::setCompact(bool compact) {
  compact_ = compact;
  updateGeometry();
}

void FlatButton::setNames(const QString& name, const QString& shortcut) {
  setAccessibleName(name);
  setToolTip(shortcut.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, shortcut));
}

QFont FlatButton::textFont() const {
  const Style& style = currentStyle();
  switch (look_) {
    case Look::link:
    case Look::chip: return style.font(11);
    case Look::bold: return style.font(13, true);
    case Look::plain: break;
  }
  return style.font(13);
}

QSize FlatButton::sizeHint() const {
  const int height = look_ == Look::chip ? 20 : compact_ || look_ == Look::link ? 24 : 28;
  int width = look_ == Look::link ? 8 : 2 * (icon_name_.isEmpty() || !text().isEmpty() ? 8 : (compact_ ? 4 : 8));
  if (!icon_name_.isEmpty()) width += icon_size;
  if (mark_.isValid()) width += mark_size + gap;
  if (!text().isEmpty()) width += QFontMetrics(textFont()).horizontalAdvance(text()) + 1;
  if (!icon_name_.isEmpty() && !text().isEmpty()) width += gap - 2;
  if (opens_menu_) width += chevron_size;
  return {width, height};
}

QSize FlatButton::minimumSizeHint() const {
  // Titles and chips may be elided; icons may not.
  return text().isEmpty() ? sizeHint() : QSize(std::min(sizeHint().width(), 40), sizeHint().height());
}

void FlatButton::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Style& style = currentStyle();
  const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
  const double radius = look_ == Look::chip ? box.height() / 2 : 6;
  QColor ink = look_ == Look::link ? style.mute : style.ink;
  const bool lit = isEnabled() && (underMouse() || isDown());
  painter.setPen(Qt::NoPen);
  if (isChecked()) {
    painter.setBrush(style.ink);
    painter.drawRoundedRect(box, radius, radius);
    ink = style.panel;
  } else if (look_ == Look::chip || (lit && look_ != Look::link)) {
    painter.setBrush(look_ == Look::chip && lit ? style.line : style.hover);
    painter.drawRoundedRect(box, radius, radius);
  } else if (lit) {
    ink = style.ink;
  }
  if (!isEnabled()) painter.setOpacity(0.35);  // icons do not keep the alpha of a colour
  if (hasFocus()) {
    painter.setPen(QPen(style.ink, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box, radius, radius);
  }

  const bool alone = text().isEmpty() && !icon_name_.isEmpty();
  double x = look_ == Look::link ? 4 : 8;
  const double middle = height() / 2.0;
  if (!icon_name_.isEmpty()) {
    if (alone) x = (width() - icon_size) / 2.0;
    paintIcon(painter, {x, middle - icon_size / 2.0, icon_size, icon_size}, icon_name_, ink);
    x += icon_size + gap - 2;
  }
  if (mark_.isValid()) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(mark_);
    painter.drawRoundedRect(QRectF(x, middle - mark_size / 2.0, mark_size, mark_size), 3, 3);
    x += mark_size + gap;
  }
  const double end = width() - (look_ == Look::link ? 4 : 8) - (opens_menu_ ? chevron_size : 0);
  if (!text().isEmpty()) {
    painter.setFont(textFont());
    painter.setPen(ink);
    const QFontMetrics metrics(textFont());
    // Room is compared with a pixel of slack: text that fits its own hint must never be elided.
    // A chip names a file or a tensor, whose end tells as much as its beginning.
    const Qt::TextElideMode elide = look_ == Look::chip ? Qt::ElideMiddle : Qt::ElideRight;
    const QString shown = metrics.elidedText(text(), elide, static_cast<int>(end - x) + 1);
    painter.drawText(QRectF(x, 0, end - x + 2, height()), Qt::AlignVCenter | Qt::AlignLeft, shown);
    x += metrics.horizontalAdvance(shown);
  }
  if (opens_menu_)
    paintIcon(painter, {x + 1, middle - chevron_size / 2.0 + 1, chevron_size, chevron_size}, QStringLiteral("chevron"), ink);
}

void FlatButton::enterEvent(QEnterEvent* event) {
  QAbstractButton::enterEvent(event);
  update();
}

void FlatButton::leaveEvent(QEvent* event) {
  QAbstractButton::leaveEvent(event);
  update();
}

void FlatButton::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
    click();
  else
    QAbstractButton::keyPressEvent(event);
}

}  // namespace posiscope::ui

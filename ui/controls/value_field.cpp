// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/value_field.h"

#include "ui/controls/theme.h"
#include "ui/controls/tip.h"

#include <algorithm>
#include <QKeyEvent>
#include <QStyle>
#include <QTimer>

namespace posiscope::ui {
namespace {

constexpr int usual_width = 84;
constexpr int widest = 132;
constexpr int around_text = 20;  ///< border, padding and the line edit's own margin, at both sides

}  // namespace

ValueField::ValueField(QWidget* parent) : QLineEdit(parent) {
  setAlignment(Qt::AlignRight);
  setFont(currentStyle().digits(12));
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAcceptDrops(false);  // a file that is dropped here is meant for the window
}

QSize ValueField::sizeHint() const {
  const QString text = shown_.isEmpty() ? placeholderText() : shown_;
  return {std::clamp(fontMetrics().horizontalAdvance(text) + around_text, usual_width, widest), 24};
}

void ValueField::showText(const QString& text) {
  const int before = sizeHint().width();
  shown_ = text;
  if (sizeHint().width() != before) updateGeometry();
  if (!isModified()) setText(text);
  showStart();
}

/// Of a number too long for the field its first digits are the ones that say how large it is. A line edit shows what is
/// around its cursor, which is at the end of a new text.
void ValueField::showStart() {
  const bool cut = fontMetrics().horizontalAdvance(text()) + around_text > width();
  setToolTip(cut ? literalTip(text()) : QString());  // without one, that of the row is shown
  if (cut && !hasFocus()) setCursorPosition(0);
}

void ValueField::setInvalid(bool invalid) {
  if (property("invalid").toBool() == invalid) return;
  setProperty("invalid", invalid);
  style()->unpolish(this);
  style()->polish(this);
}

void ValueField::commit() {
  if (!isModified()) return;
  const QString text = this->text();
  setModified(false);
  emit typed(text);
}

bool ValueField::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    // A line edit claims these keys even when it has nothing to undo; the window's commands are meant.
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool history = key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo);
    const bool end_of_line = key->key() == Qt::Key_E && key->modifiers() == Qt::ControlModifier;
    if ((history && !isModified()) || end_of_line) {
      event->ignore();
      return true;
    }
    if (key->key() == Qt::Key_Escape && hasTyped()) {  // comes before the window's own use of the key
      event->accept();
      return true;
    }
  }
  return QLineEdit::event(event);
}

void ValueField::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Up: emit stepped(1, event->modifiers()); return;
    case Qt::Key_Down: emit stepped(-1, event->modifiers()); return;
    case Qt::Key_PageUp: emit stepped(1, event->modifiers() | Qt::ShiftModifier); return;
    case Qt::Key_PageDown: emit stepped(-1, event->modifiers() | Qt::ShiftModifier); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      commit();
      selectAll();
      return;
    case Qt::Key_Escape:
      if (!hasTyped()) break;
      setText(shown_);
      setModified(false);
      setInvalid(false);
      emit givenUp();
      return;
    default: break;
  }
  QLineEdit::keyPressEvent(event);
}

void ValueField::keyReleaseEvent(QKeyEvent* event) {
  const int key = event->key();
  const bool stepping = key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown;
  if (stepping && !event->isAutoRepeat()) emit released();
  QLineEdit::keyReleaseEvent(event);
}

void ValueField::focusInEvent(QFocusEvent* event) {
  QLineEdit::focusInEvent(event);
  // After the press that gave the focus, which would clear the selection again.
  if (event->reason() == Qt::MouseFocusReason) QTimer::singleShot(0, this, &QLineEdit::selectAll);
}

void ValueField::focusOutEvent(QFocusEvent* event) {
  QLineEdit::focusOutEvent(event);
  commit();
  // A menu or another window gives the focus back, to what is selected.
  if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason) showStart();
}

void ValueField::resizeEvent(QResizeEvent* event) {
  QLineEdit::resizeEvent(event);
  showStart();
}

void ValueField::wheelEvent(QWheelEvent* event) {
  if (!hasFocus()) return event->ignore();
  const int turn = event->angleDelta().y() + event->angleDelta().x();
  if (turn != 0) emit stepped(turn > 0 ? 1 : -1, event->modifiers());
  event->accept();
}

}  // namespace posiscope::ui

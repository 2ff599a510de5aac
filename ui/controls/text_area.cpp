// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/text_area.h"

#include "ui/controls/theme.h"

#include <algorithm>
#include <cmath>
#include <QKeyEvent>
#include <QStyle>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>
#include <QTimer>

namespace posiscope::ui {
namespace {

constexpr int pause_ms = 350;  ///< shorter than a thought, longer than the gap between two keys
constexpr int fewest_lines = 2;
constexpr int most_lines = 6;
constexpr int around_text = 10;  ///< border and padding, above and below

}  // namespace

TextArea::TextArea(QWidget* parent) : QPlainTextEdit(parent), pause_(new QTimer(this)) {
  setFont(currentStyle().digits(12));
  setTabChangesFocus(true);
  setAcceptDrops(false);  // a file that is dropped here is meant for the window
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  document()->setDocumentMargin(3);
  pause_->setSingleShot(true);
  pause_->setInterval(pause_ms);
  connect(pause_, &QTimer::timeout, this, &TextArea::send);
  connect(this, &QPlainTextEdit::textChanged, this, [this] {
    fitHeight();
    if (toPlainText() == shown_) return;
    typing_ = true;
    pause_->start();
  });
}

void TextArea::showText(const QString& text) {
  shown_ = text;
  // What is being typed stays; an undo or another scheme comes while nothing is.
  if (typing_ || toPlainText() == text) return;
  setPlainText(text);
}

void TextArea::setInvalid(bool invalid) {
  if (property("invalid").toBool() == invalid) return;
  setProperty("invalid", invalid);
  style()->unpolish(this);
  style()->polish(this);
}

void TextArea::setExample(const QString& example) {
  example_ = example;
  showPlaceholder();
}

void TextArea::setUnset(const QString& words) {
  unset_ = words;
  showPlaceholder();
}

void TextArea::showPlaceholder() { setPlaceholderText(example_.isEmpty() ? unset_ : example_); }

void TextArea::takeExample() {
  if (example_.isEmpty() || !toPlainText().isEmpty()) return;
  setFocus(Qt::OtherFocusReason);
  insertPlainText(example_);  // not set: undo takes it back
  send();
}

void TextArea::typeAgain(const QString& text) {
  setPlainText(text);
  send();
}

void TextArea::dropTyped() {
  setPlainText(shown_);
  typing_ = false;
  pause_->stop();
  setInvalid(false);
}

void TextArea::send() {
  pause_->stop();
  if (!typing_) return;
  typing_ = false;
  // A refused text stays to be mended, so the state's own text is not shown in its place.
  emit typed(toPlainText());
}

void TextArea::fitHeight() {
  if (height() != sizeHint().height()) updateGeometry();
}

QSize TextArea::sizeHint() const {
  int lines = 0;
  for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
    lines += std::max(1, block.layout()->lineCount());
  const int shown = std::clamp(lines, fewest_lines, most_lines);
  return {200, static_cast<int>(std::ceil(shown * QFontMetricsF(font()).lineSpacing())) + around_text};
}

bool TextArea::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool history = key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo);
    if (history && !document()->isUndoAvailable() && !document()->isRedoAvailable()) {
      event->ignore();  // the window's undo is meant
      return true;
    }
    if (key->key() == Qt::Key_Escape && toPlainText() != shown_) {  // comes before the window's own use of the key
      event->accept();
      return true;
    }
  }
  return QPlainTextEdit::event(event);
}

void TextArea::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (enter && !(event->modifiers() & Qt::ShiftModifier)) {
    send();
    emit finished();
    return;
  }
  if (event->key() == Qt::Key_Escape && toPlainText() != shown_) {
    dropTyped();
    emit givenUp();
    return;
  }
  QPlainTextEdit::keyPressEvent(event);
}

void TextArea::focusOutEvent(QFocusEvent* event) {
  QPlainTextEdit::focusOutEvent(event);
  send();
  emit finished();
}

void TextArea::mouseDoubleClickEvent(QMouseEvent* event) {
  if (toPlainText().isEmpty() && !example_.isEmpty()) return takeExample();
  QPlainTextEdit::mouseDoubleClickEvent(event);
}

void TextArea::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  fitHeight();
}

}  // namespace posiscope::ui

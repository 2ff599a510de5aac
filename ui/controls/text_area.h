// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

class QTimer;

namespace posiscope::ui {

/// A text of a few lines that is followed while it is typed: a formula. Each pause, Enter, or leaving the field sends
/// it; a new line can be entered with Shift. Tab goes on to the next control.
class TextArea : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit TextArea(QWidget* parent = nullptr);
  /// Shows the text of the state unless the user is typing another one.
  void showText(const QString& text);
  void setInvalid(bool invalid);
  /// What an empty field shows faintly: an example that can be taken over, else the words for no text.
  void setExample(const QString& example);
  void setUnset(const QString& words);
  const QString& example() const { return example_; }
  /// Puts the example into an empty field as if it had been typed; a double click does the same.
  void takeExample();
  /// As if the text had been typed and sent.
  void typeAgain(const QString& text);
  /// Shows the text of the state again, whatever has been typed.
  void dropTyped();
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {56, 24}; }

 signals:
  void typed(const QString& text);
  void givenUp();   ///< Escape: what was typed is gone
  void finished();  ///< the typing ended

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void send();
  void fitHeight();
  void showPlaceholder();

  QString shown_;  ///< the text of the state
  QString example_;
  QString unset_;
  bool typing_ = false;
  QTimer* pause_;
};

}  // namespace posiscope::ui

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace posiscope::ui {

/// A value that can be read, typed, copied and stepped. The wheel steps it only while it has the focus.
class ValueField : public QLineEdit {
  Q_OBJECT

 public:
  explicit ValueField(QWidget* parent = nullptr);
  /// Shows a value unless the user is typing another one.
  void showText(const QString& text);
  void setInvalid(bool invalid);
  /// Wide enough for the value shown, within what a row can spare.
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {56, 24}; }

 signals:
  void typed(const QString& text);  ///< Enter, or the focus left after typing
  void stepped(int direction, Qt::KeyboardModifiers modifiers);
  void released();  ///< the stepping key was let go
  void givenUp();   ///< Escape: what was typed is gone

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  void commit();
  void showStart();
  bool hasTyped() const { return isModified() || text() != shown_; }

  QString shown_;  ///< the value of the state
};

}  // namespace posiscope::ui

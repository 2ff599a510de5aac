// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace posiscope::ui {

/// A quiet button: an icon or a text, a surface only under the pointer, in focus or when checked.
class FlatButton : public QAbstractButton {
  Q_OBJECT

 public:
  enum class Look { plain, link, bold, chip };

  explicit FlatButton(QWidget* parent = nullptr);

  void setIconName(const QString& name);
  void setLook(Look look);
  /// A small ▾ after the text: the button opens a menu.
  void setOpensMenu(bool opens);
  /// A coloured square before the text (which scheme); invalid = none.
  void setMark(const QColor& colour);
  /// Small icon buttons in headers: 24 instead of 28 pixels.
  void setCompact(bool compact);
  /// Accessible name and tooltip ("Undo (Ctrl+Z)") in one go.
  void setNames(const QString& name, const QString& shortcut = {});

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QFont textFont() const;

  QString icon_name_;
  QColor mark_;
  Look look_ = Look::plain;
  bool opens_menu_ = false;
  bool compact_ = false;
};

}  // namespace posiscope::ui

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace posiscope::ui {

class FlatButton;

/// A strip between a tile's header and its view: the computation was cancelled, and a button that asks again; or why
/// the picture below is that of before.
class TileNotice : public QWidget {
  Q_OBJECT

 public:
  explicit TileNotice(QWidget* parent = nullptr);

  FlatButton* button() const { return button_; }
  void sayCancelled();
  void sayRefused(const QString& sentence);
  QString sentence() const;
  void refresh();  ///< language, theme

 signals:
  void pressed();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QLabel* text_;
  FlatButton* button_;
  QString refused_;  ///< empty: cancelled
};

}  // namespace posiscope::ui

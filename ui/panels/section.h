// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace posiscope::ui {

/// A titled block of a side panel with a line below it.
class Section : public QWidget {
  Q_OBJECT

 public:
  explicit Section(QWidget* parent = nullptr);
  void setTitle(const QString& title);
  QHBoxLayout* header() const { return header_; }  ///< right of the title
  QVBoxLayout* body() const { return body_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void fit();

  QString name_;
  QLabel* title_;
  QHBoxLayout* header_;
  QVBoxLayout* body_;
};

}  // namespace posiscope::ui

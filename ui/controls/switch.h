// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace posiscope::ui {

/// On or off.
class Switch : public QAbstractButton {
  Q_OBJECT

 public:
  explicit Switch(QWidget* parent = nullptr);
  QSize sizeHint() const override { return {34, 20}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace posiscope::ui

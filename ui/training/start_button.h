// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

namespace posiscope::ui {

/// The one button of the page that starts what the page is for: filled with ink.
class StartButton : public QPushButton {
  Q_OBJECT

 public:
  using QPushButton::QPushButton;
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace posiscope::ui

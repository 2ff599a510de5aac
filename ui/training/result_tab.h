// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/training/training_service.h"

#include <QWidget>

class QMenu;

namespace posiscope::ui {

/// One way to look at a comparison.
class ResultTab : public QWidget {
  Q_OBJECT

 public:
  using QWidget::QWidget;
  /// Null while none is shown; alive until the next call. Also called when its numbers have changed.
  virtual void setTraining(const Training* training) = 0;
  virtual void retranslate() = 0;
  /// What can be saved of it now, for a menu.
  virtual void addExportsTo(QMenu* menu) = 0;
};

}  // namespace posiscope::ui

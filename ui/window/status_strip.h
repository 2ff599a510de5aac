// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/readout.h"
#include "ui/state/compute_service.h"
#include "ui/state/store.h"

#include <QWidget>

class QLabel;
class QProgressBar;

namespace posiscope::ui {

class FlatButton;

/// "4 views · 3.1 ms   2 threads   41 MB", the progress of long work with a button that stops it, and in narrow
/// windows what the pointer is on.
class StatusStrip : public QWidget {
  Q_OBJECT

 public:
  static constexpr int height_pixels = 24;

  StatusStrip(Store& store, ComputeService& service, QWidget* parent = nullptr);
  void setPointer(const PointerReadout& pointer);
  void setNarrow(bool narrow);

 protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void refresh();
  bool showsPointer() const { return narrow_ && !pointer_.place.empty(); }
  void showPointer();
  double roomBeside(bool hint) const;
  void showBusy(bool busy);

  Store& store_;
  ComputeService& service_;
  QLabel* figures_;
  QLabel* hint_;
  QProgressBar* progress_;
  FlatButton* cancel_;
  QTimer patience_;  ///< a progress bar that comes and goes in a blink would only disturb
  PointerReadout pointer_;
  bool narrow_ = false;
};

}  // namespace posiscope::ui

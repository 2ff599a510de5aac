// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/readout.h"
#include "ui/state/compute_service.h"
#include "ui/state/store.h"

#include <QTimer>
#include <QWidget>

class QGraphicsOpacityEffect;
class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace posiscope::ui {

/// Names and values in two columns; every value can be selected.
class ReadoutTable : public QWidget {
  Q_OBJECT

 public:
  explicit ReadoutTable(QWidget* parent = nullptr);
  void show(const std::vector<ReadoutRow>& rows);

 private:
  QGridLayout* grid_;
  std::vector<ReadoutRow> rows_;
  std::vector<std::pair<QLabel*, QLabel*>> labels_;
};

/// What the pointer is on, the value of every scheme there, how to read the view, what its numbers say. The last
/// place stays when the pointer leaves, so that its values can be copied.
class Inspector : public QWidget {
  Q_OBJECT

 public:
  Inspector(Store& store, ComputeService& service, QWidget* parent = nullptr);

  /// Tells about this view until another one is pointed at: the keys are in it now.
  void follow(const std::string& view);

 signals:
  void pointerRead(const posiscope::ui::PointerReadout& readout);  ///< for the strip of narrow windows

 protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void retranslate();
  void namePointer();
  void showPointer();
  void showView();
  int measureOf(const std::string& view) const;
  const Result* shownResult() const;
  void showStale();

  Store& store_;
  ComputeService& service_;
  std::string view_;  ///< the view last pointed at, or gone to with the keys
  Hover last_;
  bool about_nothing_ = false;  ///< no scheme is visible
  QLabel* pointer_title_;
  ReadoutTable* pointer_;
  QLabel* term_name_;
  QLabel* term_;
  QLabel* hint_;
  QLabel* schemes_title_;
  ReadoutTable* schemes_;
  QLabel* how_title_;
  QLabel* how_;
  QLabel* verdict_title_;
  QLabel* verdict_;
  QGraphicsOpacityEffect* faded_;  ///< of a verdict on what is not asked any more
  QTimer stale_timer_;
};

}  // namespace posiscope::ui

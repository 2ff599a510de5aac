// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/training/result_tab.h"

class QLabel;
class QTableWidget;

namespace posiscope::ui {

class FlatButton;

/// All runs as a table that sorts by any column, and what makes the comparison a sound one. No ranking: one task says
/// nothing about another.
class SummaryTab : public ResultTab {
  Q_OBJECT

 public:
  explicit SummaryTab(QWidget* parent = nullptr);
  void setTraining(const Training* training) override;
  void retranslate() override;
  QTableWidget* table() const { return table_; }
  QString checklist() const;

 private:
  void refresh();
  void saveCsv();

  const Training* training_ = nullptr;
  QTableWidget* table_;
  FlatButton* csv_;
  FlatButton* copy_;
  QLabel* checklist_;
};

}  // namespace posiscope::ui

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
  void addExportsTo(QMenu* menu) override;
  QTableWidget* table() const { return table_; }
  QString checklist() const;
  FlatButton* openButton() const { return open_; }

 signals:
  void modelWanted(const QString& folder);  ///< the model of one run, to be looked at

 private:
  void refresh();
  void saveCsv();
  QString chosenModel() const;
  void showChoice();

  const Training* training_ = nullptr;
  QTableWidget* table_;
  FlatButton* csv_;
  FlatButton* copy_;
  FlatButton* open_;
  QLabel* checklist_;
};

}  // namespace posiscope::ui

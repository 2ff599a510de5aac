// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/training/result_tab.h"

class QGridLayout;
class QLabel;

namespace posiscope::ui {

class ChoiceBox;
class FlatButton;
class PlotBox;

/// The losses beyond the trained length, with the scalings of a rotation.
class LengthTab : public ResultTab {
  Q_OBJECT

 public:
  explicit LengthTab(QWidget* parent = nullptr);
  void setTraining(const Training* training) override;
  void retranslate() override;
  void addExportsTo(QMenu* menu) override;
  PlotBox* byLength() const { return by_length_; }
  PlotBox* byPosition() const { return by_position_; }
  /// Hidden unless the comparison asks for fine-tuning.
  PlotBox* fineTune() const { return fine_tune_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange();
  void refresh();

  const Training* training_ = nullptr;
  FlatButton* last_eighth_;
  FlatButton* log_values_;
  QLabel* factor_name_;
  ChoiceBox* factor_;
  QWidget* plots_;
  QGridLayout* grid_;
  int columns_ = 0;
  PlotBox* by_length_;
  PlotBox* by_position_;
  PlotBox* fine_tune_;
  QLabel* words_;
};

}  // namespace posiscope::ui

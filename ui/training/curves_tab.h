// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/seed_band.h"
#include "ui/training/result_tab.h"
#include "ui/training/training_plots.h"

#include <vector>

class QGridLayout;
class QLabel;

namespace posiscope::ui {

class ChoiceBox;
class FlatButton;
class PlotBox;

/// Loss, accuracy, gradients, norms and learning rate over the steps, all encodings on one axis.
class CurvesTab : public ResultTab {
  Q_OBJECT

 public:
  explicit CurvesTab(QWidget* parent = nullptr);
  void setTraining(const Training* training) override;
  void retranslate() override;
  void addExportsTo(QMenu* menu) override;
  PlotBox* box(train::Quantity quantity) const;
  const StepLook& look() const { return look_; }
  void setLook(const StepLook& look);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void refresh();
  void arrange();

  const Training* training_ = nullptr;
  StepLook look_;
  QWidget* plots_;
  QGridLayout* grid_;
  std::vector<PlotBox*> boxes_;
  FlatButton* log_steps_;
  FlatButton* log_values_;
  QLabel* smoothing_name_;
  ChoiceBox* smoothing_;
  int columns_ = 0;
};

}  // namespace posiscope::ui

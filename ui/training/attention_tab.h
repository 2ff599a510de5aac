// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/training/result_tab.h"
#include "ui/training/training_plots.h"

#include <cstdint>
#include <QTimer>
#include <vector>

class QLabel;

namespace posiscope::ui {

class AttentionMaps;
class ChoiceBox;
class FlatButton;
class PlotBox;
class ValueSlider;

/// Attention through training: the snapshots of one head, all encodings side by side at the same step, on a time line
/// that can be scrubbed and played, and what heads do over the steps as curves.
class AttentionTab : public ResultTab {
  Q_OBJECT

 public:
  explicit AttentionTab(QWidget* parent = nullptr);
  void setTraining(const Training* training) override;
  void retranslate() override;
  void addExportsTo(QMenu* menu) override;
  AttentionMaps* maps() const { return maps_; }
  PlotBox* scores() const { return scores_; }
  const std::vector<std::int64_t>& steps() const { return steps_; }
  /// The place on the time line.
  void setPlace(int place);
  int place() const { return place_; }
  void play(bool playing);

 private:
  void buildControls(class QVBoxLayout* column);
  void fillChoices();
  void refresh();
  void showMaps();
  void showScores();
  void nextStep();
  QString factsOf(const train::RunRecord& run, std::int64_t step) const;

  const Training* training_ = nullptr;
  int place_ = 0;                    ///< on the time line
  bool follows_ = true;              ///< the newest snapshot is shown
  std::vector<std::int64_t> steps_;  ///< at which any run of the seed keeps its attention
  ChoiceBox* seed_;
  ChoiceBox* layer_;
  ChoiceBox* head_;
  FlatButton* play_;
  ValueSlider* time_;
  QLabel* step_;
  AttentionMaps* maps_;
  FlatButton* export_;
  ChoiceBox* score_;
  FlatButton* log_steps_;
  PlotBox* scores_;
  QTimer tick_;
};

}  // namespace posiscope::ui

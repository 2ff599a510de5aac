// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/latest_job.h"
#include "core/train/cost.h"
#include "core/train/ready_experiments.h"
#include "ui/training/setup_history.h"

#include <optional>
#include <QTimer>
#include <QWidget>
#include <string>
#include <vector>

class QLabel;

namespace posiscope::ui {

class EncodingList;
class FlatButton;
class ParamForm;
class Section;
class StartButton;

/// What is to be trained: ready experiments, task, model, encodings, steps and seeds, what it will cost, and the one
/// button that starts it.
class SetupPanel : public QWidget {
  Q_OBJECT

 public:
  explicit SetupPanel(QWidget* parent = nullptr);
  ~SetupPanel() override;

  const train::ComparisonSpec& spec() const { return spec_; }
  void setSpec(const train::ComparisonSpec& spec);
  /// As by its button.
  void choose(const train::ReadyExperiment& experiment);
  bool canUndo() const { return history_.canUndo(); }
  bool canRedo() const { return history_.canRedo(); }
  void undo();
  void redo();
  void retranslate();
  /// While something is trained its cores are not taken for the estimate.
  void setBusy(bool busy);
  StartButton* startButton() const { return start_; }
  /// What stands beside the button: cost, or why it cannot be started.
  QString verdict() const;
  EncodingList* encodings() const { return encodings_; }
  /// The parts of the panel: what scrolls, and what stays in sight.
  QWidget* settings() const { return settings_; }
  QWidget* launch() const { return launch_; }

 signals:
  void startWanted(const QString& name, const posiscope::train::ComparisonSpec& spec);
  void experimentChosen(const std::string& id);  ///< a ready one
  void historyChanged();                         ///< what can be undone and redone

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void buildSettings();
  void buildLaunch();
  Section* addSection();
  void addExperiments();
  void addSizes(Section* section);
  void connectForm(ParamForm* form);
  void editTask(const std::string& key, const Value& value, const QString& gesture);
  void edit(ParamForm* form, const std::string& key, const Value& value, const QString& gesture);
  void endGesture();
  void chooseTextFile();
  void refresh();
  void touched(const QString& gesture = {});
  void estimate();
  void showCost(const Expected<train::Cost>& cost);
  void nameStart();
  QString name() const;

  train::ComparisonSpec spec_;
  SetupHistory history_;
  bool busy_ = false;
  bool asked_ = false;  ///< an estimate of the present spec is under way or done
  QWidget* settings_;
  QWidget* launch_;
  Section* ready_;
  Section* task_section_;
  Section* model_section_;
  Section* encodings_section_;
  Section* training_section_;
  std::vector<FlatButton*> experiments_;
  std::vector<FlatButton*> sizes_;
  ParamForm* task_;
  FlatButton* file_;
  ParamForm* model_;
  EncodingList* encodings_;
  ParamForm* training_;
  ParamForm* rest_;
  FlatButton* more_;
  QLabel* cost_;
  QLabel* problem_;
  StartButton* start_;
  QTimer patience_;
  LatestJob jobs_;  // last: joined before anything it uses dies
};

}  // namespace posiscope::ui

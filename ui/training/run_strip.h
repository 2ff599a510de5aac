// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/training/training_service.h"

#include <QWidget>

class QLabel;
class QProgressBar;

namespace posiscope::ui {

class ChoiceBox;
class FlatButton;

/// The line above the results: which comparison is shown, how far the running one is, pause and stop, open and save.
class RunStrip : public QWidget {
  Q_OBJECT

 public:
  explicit RunStrip(TrainingService& service, QWidget* parent = nullptr);
  int shown() const { return shown_; }
  void show(int index);
  void retranslate();
  QString progressText() const;
  FlatButton* pauseButton() const { return pause_; }
  FlatButton* stopButton() const { return stop_; }

 signals:
  void chosen(int index);
  void openWanted();
  void saveWanted();

 private:
  void refresh();
  void followProgress();

  TrainingService& service_;
  int shown_ = -1;
  ChoiceBox* which_;
  QProgressBar* bar_;
  QLabel* progress_;
  FlatButton* pause_;
  FlatButton* stop_;
  FlatButton* open_;
  FlatButton* save_;
  QTimer tick_;
};

}  // namespace posiscope::ui

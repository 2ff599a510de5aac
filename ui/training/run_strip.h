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

/// The name in the language of now: what was started here, or came with the program, is called after a ready experiment
/// or a task. What was read from a file is called as the file is.
QString shownName(const Training& training);

/// The line above the results: which comparison is shown, open and save, pause and stop, go on, remove, and how far the
/// running one is. No button moves while it is trained.
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
  FlatButton* goOnButton() const { return go_on_; }
  FlatButton* removeButton() const { return remove_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 signals:
  void chosen(int index);
  void openWanted();
  void saveWanted();

 private:
  void refresh();
  void showButtons();
  void followProgress();
  void keepPlaces();

  TrainingService& service_;
  int shown_ = -1;
  ChoiceBox* which_;
  QProgressBar* bar_;
  QLabel* progress_;
  FlatButton* pause_;
  FlatButton* stop_;
  FlatButton* go_on_;
  FlatButton* remove_;
  FlatButton* open_;
  FlatButton* save_;
  QTimer tick_;
};

}  // namespace posiscope::ui

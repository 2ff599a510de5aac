// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/training/training_service.h"

#include <QWidget>
#include <vector>

class QBoxLayout;
class QLabel;
class QSplitter;
class QStackedWidget;
class QVBoxLayout;

namespace posiscope::ui {

class AttentionTab;
class CurvesTab;
class FlatButton;
class GivingWay;
class LengthTab;
class MessageStrip;
class ResultTab;
class RunStrip;
class SetupPanel;
class SummaryTab;

/// The training bench: what is to be trained at the left, what came of it at the right.
class TrainingPage : public QWidget {
  Q_OBJECT

 public:
  explicit TrainingPage(QWidget* parent = nullptr);

  TrainingService& service() { return service_; }
  SetupPanel* setup() const { return setup_; }
  RunStrip* strip() const { return strip_; }
  CurvesTab* curves() const { return curves_; }
  AttentionTab* attention() const { return attention_; }
  LengthTab* lengths() const { return lengths_; }
  SummaryTab* summary() const { return summary_; }
  void showTab(int tab);
  void showTraining(int index);
  /// While nothing else is there: the results of the ready experiment whose settings stand at the left.
  void welcome();
  /// The window's messages, above what the page itself has to say; the page does not own them.
  void takeMessages(QWidget* messages);
  /// The figures and numbers of the tab that is shown.
  void openExportMenu(const QPoint& corner);
  void askSave();

 signals:
  void leaveWanted();
  void modelWanted(const QString& folder);  ///< a trained model is to be seen in the views

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* buildLeft();
  QWidget* buildRight();
  void addHistory(QBoxLayout* to);
  void connectParts();
  void retranslate();
  void refresh();
  QString shippedText(const Training& training) const;
  void showWords();
  void followHistory();
  const Training* shown() const;
  void askOpen();

  TrainingService service_;
  SetupPanel* setup_;
  RunStrip* strip_ = nullptr;
  MessageStrip* messages_ = nullptr;
  QLabel* words_ = nullptr;
  GivingWay* words_area_ = nullptr;
  std::string chosen_;  ///< the ready experiment that was chosen last, while nothing else is looked at
  FlatButton* back_ = nullptr;
  FlatButton* undo_ = nullptr;
  FlatButton* redo_ = nullptr;
  std::vector<FlatButton*> tab_buttons_;
  std::vector<ResultTab*> tabs_;
  QStackedWidget* stack_ = nullptr;
  CurvesTab* curves_ = nullptr;
  AttentionTab* attention_ = nullptr;
  LengthTab* lengths_ = nullptr;
  SummaryTab* summary_ = nullptr;
  QSplitter* splitter_ = nullptr;
  QVBoxLayout* right_ = nullptr;
};

}  // namespace posiscope::ui

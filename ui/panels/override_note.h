// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace posiscope::ui {

class FlatButton;

/// Under a parameter: it departs from the model it came from, with both values, and one click goes back.
class OverrideNote : public QWidget {
  Q_OBJECT

 public:
  explicit OverrideNote(QWidget* parent = nullptr);

  /// An empty sentence hides the note.
  void setSentence(const QString& sentence);
  void retranslate();

 signals:
  void modelWanted();

 private:
  QLabel* sentence_;
  FlatButton* back_;
};

}  // namespace posiscope::ui

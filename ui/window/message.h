// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/sentence.h"

#include <functional>
#include <QCoreApplication>
#include <QString>
#include <QWidget>
#include <vector>

class QHBoxLayout;
class QLabel;

namespace posiscope::ui {

class FlatButton;

enum class MessageKind { note, problem };

/// One message of the strip with its buttons. A note takes one line, the pictures below want the room; "more" shows
/// all of it. A problem is always shown whole.
class Message : public QWidget {
  Q_DECLARE_TR_FUNCTIONS(Message)

 public:
  Message(MessageKind kind, const Sentence& sentence, QWidget* parent);

  /// `name` gives it its texts: now, and again in another language.
  FlatButton* addButton(const std::function<void(FlatButton&)>& name);
  QString sentence() const { return said_; }
  void setSentence(const Sentence& sentence);
  /// Has it a button that is to be pressed?
  bool asks() const { return asks_; }
  void setAsks(bool asks) { asks_ = asks; }

  bool isFolded() const { return kind_ == MessageKind::note && !open_; }
  /// There only where one line is not enough.
  FlatButton* foldButton() const { return fold_; }
  QString shownText() const;

 protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void fit();
  int roomForText(bool with_fold) const;

  MessageKind kind_;
  Sentence sentence_;
  QString said_;  ///< in the window's language
  std::vector<std::function<void()>> button_names_;
  bool asks_ = false;
  bool open_ = false;  ///< shown whole
  QHBoxLayout* row_;
  QLabel* text_;
  FlatButton* fold_;
};

}  // namespace posiscope::ui

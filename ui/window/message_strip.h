// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/message.h"

#include <functional>
#include <QList>
#include <QString>
#include <QWidget>

class QVBoxLayout;

namespace posiscope::ui {

/// Sentences above the tiles that can be read, selected and put away: never a modal box. Newest at the bottom, at
/// most four without a button; the same sentence is shown once. They follow the language of the window.
class MessageStrip : public QWidget {
  Q_OBJECT

 public:
  static constexpr int most_messages = 4;

  explicit MessageStrip(QWidget* parent = nullptr);

  void show(MessageKind kind, const Sentence& sentence);
  /// Beside the others of its topic, with which it can be put away.
  void showBeside(const QString& topic, MessageKind kind, const Sentence& sentence);
  /// In place of the message of the same topic: only the newest of a topic is shown.
  void showNewest(const QString& topic, MessageKind kind, const Sentence& sentence);
  /// With one button. Pressing it does not answer the message – the person may change their mind in the dialog that
  /// follows: it stays until it is put away.
  void showNewest(const QString& topic, MessageKind kind, const Sentence& sentence, const Sentence& button,
                  std::function<void()> run);
  /// What is going on, with the one button that ends it: it is not waved away and forgotten while it goes on.
  /// Said again, only the sentence changes.
  void showWork(const QString& topic, const Sentence& sentence, const Sentence& button, std::function<void()> run);
  /// Puts away the messages of a topic, when they are still there.
  void putAway(const QString& topic);
  void clear();
  QStringList sentences() const;

 private:
  void add(const QString& topic, MessageKind kind, const Sentence& sentence, const Sentence& button,
           std::function<void()> run, bool closable = true);
  void dropOldest();
  void dismiss(QWidget* message);

  QVBoxLayout* column_;
  QList<QWidget*> messages_;
};

}  // namespace posiscope::ui

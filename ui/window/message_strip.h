// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QWidget>
#include <functional>

class QVBoxLayout;

namespace posiscope::ui {

enum class MessageKind { note, problem };

/// Sentences above the tiles that can be read, selected and put away: never a modal box. Newest at the bottom, at
/// most four; the same sentence is shown once.
class MessageStrip : public QWidget {
  Q_OBJECT

 public:
  static constexpr int most_messages = 4;

  explicit MessageStrip(QWidget* parent = nullptr);

  void show(MessageKind kind, const QString& sentence);
  /// With one button; the message goes away when it is pressed.
  void show(MessageKind kind, const QString& sentence, const QString& button, std::function<void()> run);
  /// In place of the message of the same topic: only the newest of a topic is shown.
  void showNewest(const QString& topic, MessageKind kind, const QString& sentence);
  void showNewest(const QString& topic, MessageKind kind, const QString& sentence, const QString& button,
                  std::function<void()> run);
  /// Puts away the message of a topic, when it is still there.
  void putAway(const QString& topic);
  void clear();
  QStringList sentences() const;

 private:
  void dismiss(QWidget* message);

  QVBoxLayout* column_;
  QList<QWidget*> messages_;
};

}  // namespace posiscope::ui

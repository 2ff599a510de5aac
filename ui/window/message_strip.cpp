// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/message_strip.h"

#include "ui/controls/flat_button.h"

#include <algorithm>
#include <QVBoxLayout>

namespace posiscope::ui {

MessageStrip::MessageStrip(QWidget* parent) : QWidget(parent), column_(new QVBoxLayout(this)) {
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(0);
  QWidget::setVisible(false);
}

void MessageStrip::show(MessageKind kind, const Sentence& sentence) { add({}, kind, sentence, {}, {}); }

void MessageStrip::showBeside(const QString& topic, MessageKind kind, const Sentence& sentence) {
  add(topic, kind, sentence, {}, {});
}

void MessageStrip::showNewest(const QString& topic, MessageKind kind, const Sentence& sentence) {
  showNewest(topic, kind, sentence, Sentence(), {});
}

void MessageStrip::showNewest(const QString& topic, MessageKind kind, const Sentence& sentence, const Sentence& button,
                              std::function<void()> run) {
  putAway(topic);
  add(topic, kind, sentence, button, std::move(run));
}

void MessageStrip::showWork(const QString& topic, const Sentence& sentence, const Sentence& button,
                            std::function<void()> run) {
  const auto same = std::ranges::find(messages_, topic, &QWidget::objectName);
  // In place: a press on the button that has begun must not be lost.
  if (same != messages_.end()) return static_cast<Message*>(*same)->setSentence(sentence);
  add(topic, MessageKind::note, sentence, button, std::move(run), false);
}

void MessageStrip::add(const QString& topic, MessageKind kind, const Sentence& sentence, const Sentence& button,
                       std::function<void()> run, bool closable) {
  const QString said = sentence;
  if (said.isEmpty() || sentences().contains(said)) return;
  auto* message = new Message(kind, sentence, this);
  message->setObjectName(topic);
  if (!QString(button).isEmpty()) {
    FlatButton* action = message->addButton([button](FlatButton& named) {
      named.setText(button);
      named.setNames(button);
    });
    connect(action, &QAbstractButton::clicked, this, std::move(run));
    message->setAsks(true);
  }
  if (closable) {
    FlatButton* close = message->addButton([](FlatButton& named) { named.setNames(tr("Dismiss")); });
    close->setIconName(QStringLiteral("close"));
    connect(close, &QAbstractButton::clicked, this, [this, message] { dismiss(message); });
  }
  column_->addWidget(message);
  messages_.append(message);
  dropOldest();
  setVisible(true);
  message->show();  // now: the layout shows it in its own time only
}

/// A question must not go because others were said after it.
void MessageStrip::dropOldest() {
  const auto only_tells = [](const QWidget* message) { return !static_cast<const Message*>(message)->asks(); };
  if (std::ranges::count_if(messages_, only_tells) <= most_messages) return;
  dismiss(*std::ranges::find_if(messages_, only_tells));
}

void MessageStrip::putAway(const QString& topic) {
  for (QWidget* message : QList<QWidget*>(messages_))
    if (message->objectName() == topic) dismiss(message);
}

void MessageStrip::dismiss(QWidget* message) {
  messages_.removeOne(message);
  message->hide();
  message->deleteLater();
  setVisible(!messages_.isEmpty());
}

void MessageStrip::clear() {
  for (QWidget* message : std::as_const(messages_)) message->deleteLater();
  messages_.clear();
  setVisible(false);
}

QStringList MessageStrip::sentences() const {
  QStringList all;
  for (const QWidget* message : messages_) all.append(static_cast<const Message*>(message)->sentence());
  return all;
}

}  // namespace posiscope::ui

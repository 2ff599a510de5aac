// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <QString>
#include <QStringList>
#include <type_traits>
#include <utility>
#include <vector>

namespace posiscope::ui {

/// What the window says, in the language it has when it is asked: a message that stays is said anew in the other one.
class Sentence {
 public:
  Sentence() = default;
  /// Of which there is one text only: it stays as it is.
  Sentence(const QString& text) : make_([text] { return text; }) {}
  template <class Make, class = std::enable_if_t<std::is_invocable_v<Make&>>>  // <concepts> is too new for moc
  Sentence(Make make) : make_(std::move(make)) {}

  operator QString() const { return make_ ? make_() : QString(); }

 private:
  std::function<QString()> make_;
};

/// One a line.
inline Sentence lines(std::vector<Sentence> sentences) {
  return [sentences = std::move(sentences)] {
    QStringList all;
    for (const Sentence& sentence : sentences) all.append(sentence);
    return all.join(QLatin1Char('\n'));
  };
}

}  // namespace posiscope::ui

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"

#include <functional>
#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>

namespace posiscope::ui {

/// Reads files on a thread of its own, one after the other, and hands over what they hold in the thread of the window,
/// in the order asked: a model of a gigabyte takes seconds, in which the window stays alive.
class BackgroundReader : public QObject {
  Q_OBJECT

 public:
  /// Runs in the thread of the window.
  using TakeOver = std::function<void()>;
  /// Runs in the other thread, touches nothing of the window's, and gives back what is to be done with what it read.
  using Read = std::function<TakeOver(const Job&)>;

  explicit BackgroundReader(QObject* parent = nullptr);
  ~BackgroundReader() override;  ///< as stop()

  /// `name` is what a person calls the file.
  void read(const QString& name, Read read);
  /// Nothing of what was asked for is taken over any more.
  void stop();
  bool busy() const { return !names_.isEmpty(); }
  /// Blocks until all is taken over, for at most so many milliseconds (−1: however long). False when there is more.
  bool wait(int milliseconds = -1);

 signals:
  void takesLong(const QString& name);  ///< of the file being read
  void ended();                         ///< all is read, or it was stopped

 private:
  void finish(const Job& job, const TakeOver& take_over);

  QStringList names_;  ///< of what is not taken over yet, the one being read first
  Job job_;            ///< of all of them
  QTimer patience_;
  QThreadPool thread_;
};

}  // namespace posiscope::ui

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <QElapsedTimer>
#include <QObject>

namespace posiscope::ui {

/// Knows when somebody last moved, typed or turned something in any window of the program, so that what computes in the
/// background can give way.
class InputWatch : public QObject {
  Q_OBJECT

 public:
  explicit InputWatch(QObject* parent = nullptr);
  /// Safe to ask from any thread.
  bool isQuiet(qint64 milliseconds) const { return clock_.elapsed() - last_.load() >= milliseconds; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QElapsedTimer clock_;
  std::atomic<qint64> last_{-1'000'000};
};

}  // namespace posiscope::ui

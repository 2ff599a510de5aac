// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace posiscope::cli {

/// "compute similarity  42 %"; `fraction` is 0 to 1.
std::string progressText(const std::string& what, double fraction);

/// A long job and the person in front of it. Where stderr is a terminal, one line there tells how far the job is, from
/// a moment after the start until the end; elsewhere nothing is written. Ctrl-C (SIGINT) stops the job; a second one
/// ends the program. One at a time.
class TerminalJob {
 public:
  /// `terminal`: the file descriptor of the line.
  explicit TerminalJob(std::string what, int terminal = 2);
  ~TerminalJob();  ///< clears the line; SIGINT does again what it did before
  TerminalJob(const TerminalJob&) = delete;
  TerminalJob& operator=(const TerminalJob&) = delete;

  const Job& job() const { return job_; }
  /// What the line says from now on; its progress starts again.
  void nowDoing(std::string what);
  /// Runs `print` while the line is away, so that both may go to one terminal.
  void aside(const std::function<void()>& print);

 private:
  void show();
  void clear();

  const Job job_;
  std::string what_;
  const int terminal_;
  void (*handler_before_)(int) = nullptr;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ending_ = false;
  bool shown_ = false;
  std::thread thread_;  // last: starts when everything above is ready
};

}  // namespace posiscope::cli

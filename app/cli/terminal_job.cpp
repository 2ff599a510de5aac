// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/terminal_job.h"

#include "core/error.h"

#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>

namespace posiscope::cli {
namespace {

using std::chrono::milliseconds;

/// Quick work shows nothing.
constexpr milliseconds first_line{400};
constexpr milliseconds next_line{100};

/// The job that SIGINT stops. A handler may touch no more than lock-free atomics: Job::stop is one store.
std::atomic<const Job*> interruptible{nullptr};

extern "C" void stopJob(int signal) {
  if (const Job* job = interruptible.load()) job->stop();
  std::signal(signal, SIG_DFL);  // who asks twice does not want to wait
}

void write(int terminal, const std::string& text) {
  // Nobody can be told that the line could not be written.
  [[maybe_unused]] const auto written = ::write(terminal, text.data(), text.size());
}

}  // namespace

std::string progressText(const std::string& what, double fraction) {
  // Rounded down: 100 % is not said before it is true.
  return join(what, "  ", std::floor(100 * std::clamp(fraction, 0.0, 1.0)), " %");
}

TerminalJob::TerminalJob(std::string what, int terminal) : what_(std::move(what)), terminal_(terminal) {
  interruptible = &job_;
  handler_before_ = std::signal(SIGINT, stopJob);
  if (handler_before_ == SIG_IGN) std::signal(SIGINT, SIG_IGN);  // as a shell asks of what runs behind
  if (isatty(terminal_)) thread_ = std::thread([this] { show(); });
}

TerminalJob::~TerminalJob() {
  if (thread_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    wake_.notify_one();
    thread_.join();
    clear();
  }
  std::signal(SIGINT, handler_before_);
  interruptible = nullptr;
}

void TerminalJob::nowDoing(std::string what) {
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
  job_.setProgress(0);
}

void TerminalJob::aside(const std::function<void()>& print) {
  const std::lock_guard lock(mutex_);
  clear();
  print();
}

void TerminalJob::show() {
  std::unique_lock lock(mutex_);
  milliseconds wait = first_line;
  while (!wake_.wait_for(lock, wait, [this] { return ending_; })) {
    write(terminal_, "\r" + progressText(what_, job_.progress()) + "\x1b[K");
    shown_ = true;
    wait = next_line;
  }
}

void TerminalJob::clear() {
  if (shown_) write(terminal_, "\r\x1b[K");
  shown_ = false;
}

}  // namespace posiscope::cli

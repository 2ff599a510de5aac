// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <memory>

namespace posiscope {

/// The handle between whoever waits for a long computation and the computation itself: it can be stopped,
/// and it tells how far it is. Copies share one state; safe to use from any thread.
class Job {
 public:
  Job() : state_(std::make_shared<State>()) {}

  void stop() const { state_->stopped.store(true, std::memory_order_relaxed); }
  bool stopped() const { return state_->stopped.load(std::memory_order_relaxed); }

  /// Fraction done, 0 to 1.
  double progress() const { return state_->progress.load(std::memory_order_relaxed); }
  void setProgress(double fraction) const { state_->progress.store(fraction, std::memory_order_relaxed); }

 private:
  struct State {
    std::atomic<bool> stopped{false};
    std::atomic<double> progress{0.0};
  };
  std::shared_ptr<State> state_;
};

}  // namespace posiscope

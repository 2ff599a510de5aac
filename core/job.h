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

  /// Fraction of the whole done, 0 to 1.
  double progress() const { return state_->progress.load(std::memory_order_relaxed); }
  /// Fraction of this part done, 0 to 1.
  void setProgress(double fraction) const {
    state_->progress.store(from_ + fraction * (to_ - from_), std::memory_order_relaxed);
  }

  /// The same job as seen by one of its steps: what the step reports as 0 to 1 fills `from` to `to` of this part.
  Job part(double from, double to) const {
    Job step = *this;
    step.from_ = from_ + from * (to_ - from_);
    step.to_ = from_ + to * (to_ - from_);
    return step;
  }

 private:
  struct State {
    std::atomic<bool> stopped{false};
    std::atomic<double> progress{0.0};
  };
  std::shared_ptr<State> state_;
  double from_ = 0.0;
  double to_ = 1.0;
};

}  // namespace posiscope

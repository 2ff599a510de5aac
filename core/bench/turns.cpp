// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bench/turns.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace posiscope::bench {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

double timed(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double medianOf(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

Turns inTurns(const std::vector<std::function<void()>>& works, double seconds, const Job& job) {
  constexpr int fewest = 3, most = 15;
  std::vector<std::vector<double>> times(works.size());
  Turns turns;
  for (const auto& work : works) work();
  double spent = 0;
  while (turns.rounds < most && (turns.rounds < fewest || spent < 1e3 * seconds)) {
    if (job.stopped() && turns.rounds > 0) break;
    for (std::size_t w = 0; w < works.size(); ++w) {
      times[w].push_back(timed(works[w]));
      spent += times[w].back();
    }
    ++turns.rounds;
  }
  for (std::vector<double>& t : times) turns.medians.push_back(medianOf(std::move(t)));
  return turns;
}

struct Deadline::State {
  Job job;
  std::mutex mutex;
  std::condition_variable wake;
  bool over = false;
  std::optional<Job> other;
  std::thread thread;
};

Deadline::Deadline(double seconds) : state_(std::make_unique<State>()) {
  state_->thread = std::thread([s = state_.get(), end = Clock::now() + std::chrono::duration<double>(seconds)] {
    std::unique_lock lock(s->mutex);
    while (!s->over && Clock::now() < end && !(s->other && s->other->stopped()))
      s->wake.wait_for(lock, std::chrono::milliseconds(20));
    s->job.stop();
  });
}

Deadline::~Deadline() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->over = true;
  }
  state_->wake.notify_one();
  state_->thread.join();
}

const Job& Deadline::job() const { return state_->job; }

void Deadline::follow(const Job& other) {
  const std::lock_guard lock(state_->mutex);
  state_->other = other;
}

}  // namespace posiscope::bench

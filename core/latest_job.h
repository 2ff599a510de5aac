// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace posiscope {

/// Runs one job at a time on a thread of its own and keeps at most one waiting: a newer one replaces the waiting
/// one, the running one finishes. (Stopping it on every slider step starves the display: measured 0 of 120
/// events shown at 2048 tokens.)
class LatestJob {
 public:
  using Work = std::function<void(const Job&)>;

  LatestJob();
  ~LatestJob();  ///< stops the running job and joins
  LatestJob(const LatestJob&) = delete;
  LatestJob& operator=(const LatestJob&) = delete;

  /// Replaces the waiting work. With `stop_running` the running job is stopped as well (the shape changed).
  void submit(Work work, bool stop_running = false);
  /// Stops the running job and drops the waiting one.
  void cancel();
  /// The running job, if any.
  std::optional<Job> running() const;
  bool idle() const;

 private:
  void loop();

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<Work> waiting_;
  std::optional<Job> running_;
  bool ending_ = false;
  std::thread thread_;  // last: starts when everything above is ready
};

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/latest_job.h"

#include <utility>

namespace posiscope {

LatestJob::LatestJob() : thread_([this] { loop(); }) {}

LatestJob::~LatestJob() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    waiting_.reset();
    if (running_) running_->stop();
  }
  wake_.notify_one();
  thread_.join();
}

void LatestJob::submit(Work work, bool stop_running) {
  {
    const std::lock_guard lock(mutex_);
    waiting_ = std::move(work);
    if (stop_running && running_) running_->stop();
  }
  wake_.notify_one();
}

void LatestJob::cancel() {
  const std::lock_guard lock(mutex_);
  waiting_.reset();
  if (running_) running_->stop();
}

std::optional<Job> LatestJob::running() const {
  const std::lock_guard lock(mutex_);
  return running_;
}

bool LatestJob::idle() const {
  const std::lock_guard lock(mutex_);
  return !running_ && !waiting_;
}

void LatestJob::loop() {
  for (;;) {
    Work work;
    Job job;
    {
      std::unique_lock lock(mutex_);
      running_.reset();
      wake_.wait(lock, [this] { return ending_ || waiting_; });
      if (ending_) return;
      work = std::move(*waiting_);
      waiting_.reset();
      running_ = job;
    }
    work(job);
  }
}

}  // namespace posiscope

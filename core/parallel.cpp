// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <omp.h>

namespace posiscope {
namespace {

std::atomic<int>& threadSetting() {
  static std::atomic<int> count{std::max(1, omp_get_num_procs())};
  return count;
}

}  // namespace

int threads() { return threadSetting().load(); }

void setThreads(int count) { threadSetting().store(std::max(1, count)); }

bool parallelBlocks(std::int64_t count, std::int64_t block, const Job& job,
                    const std::function<void(std::int64_t, std::int64_t)>& body) {
  const std::int64_t size = std::max<std::int64_t>(1, block);
  const std::int64_t blocks = (count + size - 1) / size;
  std::int64_t done = 0;
  std::mutex counting;  // a count and its report are one: a slower thread must not report an older count
  // One block is not worth a team: fork and join cost several microseconds.
  const int team = static_cast<int>(std::min<std::int64_t>(blocks, threads()));
#pragma omp parallel for schedule(dynamic) num_threads(team) if (team > 1)
  for (std::int64_t b = 0; b < blocks; ++b) {
    if (job.stopped()) continue;
    body(b * size, std::min(count, (b + 1) * size));
    const std::lock_guard lock(counting);
    job.setProgress(static_cast<double>(++done) / static_cast<double>(blocks));
  }
  return done == blocks;
}

}  // namespace posiscope

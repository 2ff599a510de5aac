// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel.h"

#include <gtest/gtest.h>

#include <vector>

namespace posiscope {
namespace {

TEST(ParallelBlocks, visitsEveryItemOnceWhateverTheThreads) {
  for (const int count : {1, 2, 3, 7}) {
    setThreads(count);
    for (const std::int64_t items : {0, 1, 5, 64, 65, 1000}) {
      std::vector<int> visits(static_cast<std::size_t>(items), 0);
      const Job job;
      EXPECT_TRUE(parallelBlocks(items, 64, job, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
      }));
      EXPECT_EQ(visits, std::vector<int>(static_cast<std::size_t>(items), 1)) << items << " items, " << count << " threads";
    }
  }
}

TEST(ParallelBlocks, saysWhenItWasStopped) {
  const Job job;
  job.stop();
  bool called = false;
  EXPECT_FALSE(parallelBlocks(10, 1, job, [&](std::int64_t, std::int64_t) { called = true; }));
  EXPECT_FALSE(called);
}

}  // namespace
}  // namespace posiscope

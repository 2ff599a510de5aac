// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel.h"
#include "core/steps.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

TEST(Steps, fillTheJobInOrder) {
  const Job job;
  Steps steps(job, 4);
  for (int k = 0; k < 4; ++k) {
    const Job step = steps.next();
    step.setProgress(0);
    EXPECT_DOUBLE_EQ(job.progress(), k / 4.0);
    step.setProgress(0.5);
    EXPECT_DOUBLE_EQ(job.progress(), (k + 0.5) / 4.0);
    step.setProgress(1);
  }
  EXPECT_DOUBLE_EQ(job.progress(), 1);
  steps.next().setProgress(0);  // one more than was announced
  EXPECT_DOUBLE_EQ(job.progress(), 1);
}

TEST(Steps, standInsideEachOther) {
  const Job job;
  Steps outer(job, 2);
  outer.next();
  Steps inner(outer.next(), 2);
  inner.next().setProgress(1);
  EXPECT_DOUBLE_EQ(job.progress(), 0.75);
}

TEST(Steps, stopWithTheWhole) {
  const Job job;
  Steps steps(job, 3);
  const Job step = steps.next();
  EXPECT_FALSE(step.stopped());
  job.stop();
  EXPECT_TRUE(step.stopped());
}

/// The blocks look at the job while they run: with one thread this sees every value that is ever reported.
TEST(Steps, parallelBlocksReportTheirPart) {
  const Job job;
  Steps steps(job, 3);
  setThreads(1);
  double last = 0;
  for (int k = 0; k < 3; ++k)
    parallelBlocks(10, 1, steps.next(), [&](std::int64_t begin, std::int64_t) {
      EXPECT_GE(job.progress(), last);
      EXPECT_NEAR(job.progress(), (k + static_cast<double>(begin) / 10) / 3, 1e-12);
      last = job.progress();
    });
  EXPECT_DOUBLE_EQ(job.progress(), 1);
}

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/latest_job.h"

#include <atomic>
#include <chrono>
#include <future>
#include <gtest/gtest.h>

namespace posiscope {
namespace {

using namespace std::chrono_literals;

template <class Condition>
bool eventually(Condition condition) {
  for (int k = 0; k < 2000; ++k) {
    if (condition()) return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

TEST(LatestJob, theNewestWaitingReplacesTheOthersAndTheRunningOneFinishes) {
  LatestJob jobs;
  std::promise<void> started;
  std::promise<void> release;
  std::atomic<bool> first_stopped{false};
  std::atomic<int> skipped{0};
  std::atomic<int> last{0};
  jobs.submit([&](const Job& job) {
    started.set_value();
    release.get_future().wait();
    first_stopped = job.stopped();
  });
  started.get_future().wait();
  for (int k = 1; k <= 5; ++k)
    jobs.submit([&, k](const Job&) {
      if (k < 5) ++skipped;
      last = k;
    });
  EXPECT_FALSE(jobs.idle());
  release.set_value();
  EXPECT_TRUE(eventually([&] { return jobs.idle(); }));
  EXPECT_EQ(last, 5);
  EXPECT_EQ(skipped, 0);
  EXPECT_FALSE(first_stopped);
}

TEST(LatestJob, stopsTheRunningOneWhenAsked) {
  LatestJob jobs;
  std::promise<void> started;
  std::atomic<bool> second_ran{false};
  jobs.submit([&](const Job& job) {
    started.set_value();
    while (!job.stopped()) std::this_thread::sleep_for(1ms);
  });
  started.get_future().wait();
  ASSERT_TRUE(jobs.running());
  jobs.submit([&](const Job& job) { second_ran = !job.stopped(); }, true);
  EXPECT_TRUE(eventually([&] { return jobs.idle(); }));
  EXPECT_TRUE(second_ran);
}

TEST(LatestJob, cancelDropsTheWaitingOneToo) {
  LatestJob jobs;
  std::promise<void> started;
  std::atomic<bool> waiting_ran{false};
  jobs.submit([&](const Job& job) {
    started.set_value();
    while (!job.stopped()) std::this_thread::sleep_for(1ms);
  });
  started.get_future().wait();
  jobs.submit([&](const Job&) { waiting_ran = true; });
  jobs.cancel();
  EXPECT_TRUE(eventually([&] { return jobs.idle(); }));
  EXPECT_FALSE(waiting_ran);
}

TEST(LatestJob, itsEndStopsTheRunningOne) {
  std::atomic<bool> saw_stop{false};
  std::promise<void> started;
  {
    LatestJob jobs;
    jobs.submit([&](const Job& job) {
      started.set_value();
      while (!job.stopped()) std::this_thread::sleep_for(1ms);
      saw_stop = true;
    });
    started.get_future().wait();
  }
  EXPECT_TRUE(saw_stop);
}

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bench/bench.h"
#include "core/bench/limits.h"
#include "core/bench/turns.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>

namespace posiscope {
namespace {

TEST(Bench, TheMedianIsNotMovedByOneSlowRun) {
  EXPECT_EQ(bench::medianOf({5}), 5);
  EXPECT_EQ(bench::medianOf({900, 3, 1, 2, 4}), 3);
}

TEST(Bench, WorksAreRunInTurns) {
  std::string order;
  const bench::Turns turns = bench::inTurns({[&] { order += 'a'; }, [&] { order += 'b'; }}, 0, Job());
  EXPECT_EQ(order, "abababab");  // once before, then three rounds
  EXPECT_EQ(turns.rounds, 3);
  EXPECT_EQ(turns.medians.size(), 2u);
  const Job stopped;
  stopped.stop();
  EXPECT_EQ(bench::inTurns({[] {}}, 5, stopped).rounds, 1);
}

TEST(Bench, ADeadlineStopsItsJob) {
  bench::Deadline over(0), far(60);
  const auto waited = [](const Job& job) {
    for (int n = 0; n < 1000 && !job.stopped(); ++n) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return job.stopped();
  };
  EXPECT_TRUE(waited(over.job()));
  EXPECT_FALSE(far.job().stopped());
  const Job other;
  far.follow(other);
  other.stop();
  EXPECT_TRUE(waited(far.job()));
}

TEST(Bench, MemsetWritesEveryByte) {
  bench::Floats memory(700'001);
  std::ranges::fill(memory.span(), 0.0F);
  bench::fillWithMemset(memory);
  const auto* bytes = reinterpret_cast<const unsigned char*>(memory.data());
  EXPECT_TRUE(std::all_of(bytes, bytes + memory.bytes(), [](unsigned char b) { return b == 1; }));
}

TEST(Bench, TheProductsAreThoseOfTheAttention) {
  const bench::ProductShape shape{2, 70, 3};
  std::vector<float> q(2 * 70 * 3), k(2 * 70 * 3), out(2 * 70 * 70);
  for (std::size_t n = 0; n < q.size(); ++n) {
    q[n] = static_cast<float>(n % 7);
    k[n] = static_cast<float>(n % 11) - 5;
  }
  bench::eigenProducts(shape, q, k, out.data());
  for (std::size_t row = 0; row < 140; ++row)
    for (std::size_t j = 0; j < 70; ++j) {
      float sum = 0;
      for (std::size_t d = 0; d < 3; ++d) sum += q[row * 3 + d] * k[(row / 70 * 70 + j) * 3 + d];
      ASSERT_EQ(out[row * 70 + j], sum) << row << " " << j;
    }
  EXPECT_EQ(shape.operations(), 2.0 * 2 * 70 * 70 * 3);
}

TEST(Bench, WhatWasNotTimedIsNull) {
  bench::Report report;
  report.machine = {2, 7e10, 8e10};
  bench::Figure timed;
  timed.id = "timed";
  timed.what = {"a table", "表"};
  timed.median = 3;
  timed.limit = "memset";
  timed.limit_time = 2;
  timed.target = {"≤ 3 × memset", ""};
  timed.met = true;
  bench::Figure missing;
  missing.id = "missing";
  missing.what = {"× a longer name", "名称"};
  missing.missing = {"not yet", "尚无"};
  report.figures = {timed, missing};
  const auto root = nlohmann::json::parse(bench::toJson(report).dump());
  EXPECT_EQ(root["figures"][0]["median_ms"], 3);
  EXPECT_TRUE(root["figures"][0]["naive_ms"].is_null());
  EXPECT_FALSE(root["figures"][0].contains("not_timed"));
  EXPECT_TRUE(root["figures"][1]["median_ms"].is_null());
  EXPECT_TRUE(root["figures"][1]["met"].is_null());
  EXPECT_EQ(root["figures"][1]["not_timed"], "not yet");
  const std::string text = bench::table(report);
  EXPECT_NE(text.find("a table          3.00 ms"), std::string::npos) << text;
  EXPECT_NE(text.find("1.50 × memset (2.00 ms)"), std::string::npos) << text;
  EXPECT_NE(text.find("× a longer name  not timed: not yet\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/command_line.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

namespace posiscope {
namespace {

using test::posiscope;

const std::set<std::string> all_rows{
    "cos_sin_table", "sinusoidal_table",  "attention_map", "decay_offsets",          "bound_offsets",
    "bias_offsets",  "window_similarity", "window_bias",   "window_attention_first", "window_attention_final",
    "cold_start",    "slider_1024",       "slider_4096",   "million_points",         "memory"};

TEST(BenchCommand, PrintsEveryRowAsJson) {
  const test::Ran ran = posiscope({"bench", "--tiny", "--json"});
  ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.out << ran.err;
  const auto root = nlohmann::json::parse(ran.out);
  EXPECT_EQ(root["posiscope_bench"], 1);
  EXPECT_EQ(root["size"], "tiny");
  EXPECT_GE(root["machine"]["threads"], 1);
  EXPECT_GT(root["machine"]["memset_bytes_per_s"], 0);
  EXPECT_GT(root["machine"]["products_flop_per_s"], 0);
  std::set<std::string> rows;
  for (const auto& figure : root["figures"]) {
    const std::string id = figure["id"];
    EXPECT_TRUE(rows.insert(id).second) << id;
    EXPECT_FALSE(figure["target"].get<std::string>().empty()) << id;
    if (figure.contains("not_timed")) {
      EXPECT_TRUE(figure["median_ms"].is_null()) << id;
      EXPECT_FALSE(figure["not_timed"].get<std::string>().empty()) << id;
      EXPECT_EQ(figure["not_timed"].get<std::string>().find("wrong"), std::string::npos) << figure;
      continue;
    }
    EXPECT_GT(figure["median_ms"], 0) << id;
    EXPECT_GE(figure["runs"], 1) << id;
    EXPECT_TRUE(figure["met"].is_null()) << id << ": times of tiny sizes mean nothing";
  }
  EXPECT_EQ(rows, all_rows);
}

TEST(BenchCommand, TimesWhatTheCoreAnswers) {
  const auto root = nlohmann::json::parse(posiscope({"bench", "--tiny", "--json"}).out);
  const std::set<std::string> core{"cos_sin_table", "sinusoidal_table", "attention_map", "decay_offsets",
                                   "bound_offsets", "bias_offsets",     "window_bias",   "window_similarity"};
  for (const auto& figure : root["figures"]) {
    if (!core.contains(figure["id"].get<std::string>())) continue;
    EXPECT_FALSE(figure.contains("not_timed")) << figure;
    EXPECT_LT(figure["largest_error"], 1e-4) << figure;
  }
}

TEST(BenchCommand, TheTableHasALineForEachRow) {
  const test::Ran ran = posiscope({"bench", "--tiny"});
  ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  const std::vector<std::string> lines = test::lines(ran.out);
  EXPECT_EQ(lines.size(), all_rows.size() + 3) << ran.out;
  EXPECT_NE(lines.front().find("memset: "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find(" × memset ("), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find(" × as fast as naive"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("not judged: "), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("met: "), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("missed: "), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace posiscope

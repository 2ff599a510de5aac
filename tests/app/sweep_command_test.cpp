// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/command_line.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <filesystem>

namespace posiscope {
namespace {

using test::posiscope;

constexpr const char* small_spec = R"({"schemes": [{"id": "rope", "grid": {"base": [100, 10000]}}, "alibi"],
  "measures": ["relative_decay", "position_table"], "shape": {"num_heads": 2, "head_dim": 8},
  "grid": {"shape.seq_len": [8, 12]}})";

TEST(SweepCommand, RunsGoesOnAndMerges) {
  const test::TemporaryFolder folder;
  const std::string spec = folder.write("spec.json", small_spec);
  const test::Ran first = posiscope({"sweep", spec, "--out", folder.file("whole")});
  ASSERT_EQ(first.code, std::optional<int>(0)) << first.err;
  EXPECT_NE(first.out.find("12 items in " + folder.file("whole") + ": 12 computed, 0 found"), std::string::npos)
      << first.out;
  EXPECT_EQ(test::lines(first.err).size(), 12u) << first.err;
  EXPECT_NE(first.err.find("[1/12] relative_decay of rope,base=100, shape.seq_len=8\n"), std::string::npos)
      << first.err;
  const test::Ran again = posiscope({"sweep", spec, "--out", folder.file("whole")});
  EXPECT_NE(again.out.find("0 computed, 12 found"), std::string::npos) << again.out;
  std::vector<std::string> merge{"merge"};
  for (const char* part : {"1", "2", "3"}) {
    merge.push_back(folder.file(part));
    ASSERT_EQ(posiscope({"sweep", spec, "--out", merge.back(), "--shard", std::string(part) + "/3"}).code,
              std::optional<int>(0));
  }
  merge.insert(merge.end(), {"--out", folder.file("merged")});
  const test::Ran merged = posiscope(merge);
  ASSERT_EQ(merged.code, std::optional<int>(0)) << merged.err;
  EXPECT_EQ(folder.read("merged/summary.csv"), folder.read("whole/summary.csv"));
  EXPECT_EQ(folder.read("merged/sweep.json"), folder.read("whole/sweep.json"));
}

TEST(SweepCommand, WritesNoMinusZero) {
  const test::TemporaryFolder folder;
  const std::string spec = folder.write("spec.json", small_spec);
  ASSERT_EQ(posiscope({"sweep", spec, "--out", folder.file("out")}).code, std::optional<int>(0));
  EXPECT_EQ(folder.read("out/summary.csv").find(",-0,"), std::string::npos);
}

TEST(SweepCommand, RefusesInOneSentence) {
  const test::TemporaryFolder folder;
  const std::string spec = folder.write("spec.json", small_spec);
  const std::string wrong = folder.write("wrong.json", R"({"schemes": ["rope"], "measures": [{"id": "nothing"}]})");
  const auto refusal = [&](const std::vector<std::string>& arguments) {
    const test::Ran ran = posiscope(arguments);
    EXPECT_EQ(ran.code, std::optional<int>(2)) << ran.out;
    EXPECT_EQ(test::lines(ran.err).size(), 1u) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(folder.file("out")));
    return ran.err;
  };
  EXPECT_NE(refusal({"sweep", wrong, "--out", folder.file("out")}).find("wrong.json: measures[0]: there is no measure"),
            std::string::npos);
  EXPECT_NE(refusal({"sweep", spec, "--out", folder.file("out"), "--shard", "3/2"}).find("--shard must be i/n"),
            std::string::npos);
  refusal({"sweep", folder.file("gone.json"), "--out", folder.file("out")});
  refusal({"sweep", spec});
  refusal({"merge", folder.file("gone"), "--out", folder.file("out")});
}

TEST(SweepCommand, NothingAtAllIsAnError) {
  const test::TemporaryFolder folder;
  const std::string spec = folder.write("spec.json", R"({"schemes": ["rope"], "measures": ["bias_by_offset"]})");
  const test::Ran ran = posiscope({"sweep", spec, "--out", folder.file("out")});
  EXPECT_EQ(ran.code, std::optional<int>(2));
  EXPECT_NE(ran.out.find("1 without numbers"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace posiscope

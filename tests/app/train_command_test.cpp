// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/reader.h"
#include "core/train/comparison_record.h"
#include "tests/app/command_line.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace posiscope {
namespace {

using test::posiscope;

constexpr const char* small_spec = R"({"model": {"d_model": 16, "num_heads": 2, "num_layers": 1, "causal": false},
  "task": {"name": "copy", "length": 3, "symbols": 5},
  "schedule": {"steps": 6, "batch": 4, "evaluate_every": 3, "evaluate_count": 8}, "positions": [POSITIONS],
  "seeds": [1, 2]})";

std::string specWith(const std::string& positions) {
  std::string text = small_spec;
  return text.replace(text.find("POSITIONS"), 9, positions);
}

TEST(TrainCommand, TrainsEveryEncodingWithEverySeed) {
  const test::TemporaryFolder folder;
  const std::string spec =
      folder.write("spec.json", specWith(R"({"scheme": "rope"}, {"scheme": "learned", "rows": 8})"));
  const test::Ran ran = posiscope({"train", spec, "--out", folder.file("out")});
  ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("rope seed 2 step 3 loss "), std::string::npos) << ran.out;
  for (const char* name : {"01-rope-seed1", "02-rope-seed2", "03-learned-seed1", "04-learned-seed2"}) {
    const std::string run = folder.file("out/") + name;
    for (const char* file : {"checkpoint.safetensors", "model.safetensors", "config.json", "vocab.json", "results.json",
                             "steps.csv", "evaluations.csv", "heads.csv", "lengths.csv"})
      EXPECT_TRUE(std::filesystem::exists(run + "/" + file)) << run << "/" << file;
  }
  const auto results = nlohmann::json::parse(folder.read("out/03-learned-seed1/results.json"));
  EXPECT_EQ(results["steps_done"], 6);
  EXPECT_EQ(results["position_parameters"], 8 * 16);
  // Eight rows hold seven tokens, not twice as many.
  EXPECT_TRUE(results["lengths"][0].contains("loss"));
  EXPECT_NE(results["lengths"].back()["refused"].get<std::string>().find("8 rows"), std::string::npos);
  EXPECT_EQ(test::lines(folder.read("out/summary.csv")).size(), 5u);
}

TEST(TrainCommand, MakesAModelThatTheOtherCommandsOpen) {
  const test::TemporaryFolder folder;
  const std::string spec = folder.write(
      "spec.json", R"({"model": {"d_model": 16, "num_heads": 2}, "task": {"name": "induction", "length": 12, "low": 3,
      "high": 4, "symbols": 8}, "schedule": {"steps": 2, "batch": 4}, "positions": [{"scheme": "shaw"}]})");
  const std::string out = folder.file("out");
  ASSERT_EQ(posiscope({"train", spec, "--out", out}).code, std::optional<int>(0));
  const test::Ran inspected = posiscope({"inspect", out});
  EXPECT_EQ(inspected.code, std::optional<int>(0)) << inspected.err;
  EXPECT_NE(inspected.out.find("trained by this program"), std::string::npos) << inspected.out;
  const std::string tokens = "0,1,2,0,1,2,0,1";
  EXPECT_EQ(posiscope({"heads", "--model", out, "--tokens", tokens}).code, std::optional<int>(0));
  EXPECT_EQ(
      posiscope({"attention", "--model", out, "--tokens", tokens, "--layer", "1", "--out", folder.file("w.npy")}).code,
      std::optional<int>(0));
  EXPECT_EQ(files::readNpy(folder.file("w.npy"))->shape, (std::vector<std::int64_t>{2, 8, 8}));
  // A knob of what it has learned.
  const auto losses = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"loss-by-position", "--model", out, "--tokens", tokens};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return posiscope(arguments).out;
  };
  EXPECT_FALSE(losses({}).empty());
  EXPECT_NE(losses({}), losses({"--set", "shaw.sign=i-j"}));
}

TEST(TrainCommand, WritesTheFileThatTheWindowOpens) {
  const test::TemporaryFolder folder;
  const std::string spec = folder.write("spec.json", specWith(R"({"scheme": "rope"}, {"scheme": "none"})"));
  const std::string small = folder.file("small.safetensors");
  const std::string out = folder.file("out");
  ASSERT_EQ(posiscope({"train", spec, "--out", out, "--compact", small}).code, std::optional<int>(0));
  const auto whole = train::readRecord(out + "/comparison.safetensors");
  ASSERT_TRUE(whole) << whole.error().message.en;
  EXPECT_EQ(train::summaryCsv(*whole), folder.read("out/summary.csv"));
  EXPECT_EQ(whole->runs.size(), 4u);
  EXPECT_EQ(whole->runs[3].steps(), 6);
  EXPECT_EQ(whole->runs[3].attention.size(), 5u);  // 0, 1, 2, 4 and 6
  EXPECT_FALSE(whole->version.empty());
  EXPECT_EQ(whole->date.size(), 10u);
  const auto compact = train::readRecord(small);
  ASSERT_TRUE(compact) << compact.error().message.en;
  EXPECT_EQ(compact->spec, whole->spec);
  // What the other commands say of it: by the file as by the folder.
  for (const std::string& path : {out, out + "/comparison.safetensors", small}) {
    const test::Ran inspected = posiscope({"inspect", path});
    EXPECT_EQ(inspected.code, std::optional<int>(0)) << inspected.err;
    EXPECT_NE(inspected.out.find(".safetensors: training comparison, trained on "), std::string::npos) << inspected.out;
    EXPECT_NE(inspected.out.find("run     none  seed 2  steps 6  loss "), std::string::npos) << inspected.out;
  }
  const auto object = nlohmann::json::parse(posiscope({"inspect", small, "--json"}).out);
  EXPECT_EQ(object["kind"], "training comparison");
  EXPECT_EQ(object["task"], "copy");
  EXPECT_EQ(object["runs"].size(), 4u);
  EXPECT_EQ(posiscope({"inspect", small, "--origin", "gguf"}).code, std::optional<int>(2));
  // Measured once: a second run of the command takes what it finds.
  const std::string results = folder.file("out/01-rope-seed1/results.json");
  const auto written = std::filesystem::last_write_time(results);
  ASSERT_EQ(posiscope({"train", spec, "--out", out, "--resume"}).code, std::optional<int>(0));
  EXPECT_EQ(std::filesystem::last_write_time(results), written);
}

TEST(TrainCommand, GoesOnOnlyWhenAsked) {
  const test::TemporaryFolder folder;
  const std::string spec = folder.write("spec.json", specWith(R"({"scheme": "alibi"})"));
  ASSERT_EQ(posiscope({"train", spec, "--out", folder.file("out")}).code, std::optional<int>(0));
  const std::string before = folder.read("out/summary.csv");
  const test::Ran again = posiscope({"train", spec, "--out", folder.file("out")});
  EXPECT_EQ(again.code, std::optional<int>(2));
  EXPECT_NE(again.err.find("--resume"), std::string::npos) << again.err;
  const test::Ran resumed = posiscope({"train", spec, "--out", folder.file("out"), "--resume"});
  EXPECT_EQ(resumed.code, std::optional<int>(0)) << resumed.err;
  EXPECT_EQ(folder.read("out/summary.csv"), before);
  // Another specification is another run.
  std::string other = specWith(R"({"scheme": "alibi"})");
  other.replace(other.find("\"steps\": 6"), 10, "\"steps\": 7");
  folder.write("spec.json", other);
  const test::Ran changed = posiscope({"train", spec, "--out", folder.file("out"), "--resume"});
  EXPECT_EQ(changed.code, std::optional<int>(2));
  EXPECT_NE(changed.err.find("other settings"), std::string::npos) << changed.err;
}

TEST(TrainCommand, RefusesWithOneSentenceBeforeAnythingIsTrained) {
  const test::TemporaryFolder folder;
  const auto refusal = [&](const std::string& positions) {
    const std::string spec = folder.write("spec.json", specWith(positions));
    const test::Ran ran = posiscope({"train", spec, "--out", folder.file("out")});
    EXPECT_EQ(ran.code, std::optional<int>(2)) << ran.out;
    EXPECT_FALSE(std::filesystem::exists(folder.file("out")));
    return ran.err;
  };
  EXPECT_NE(refusal(R"({"scheme": "rope"}, {"scheme": "learned", "rows": 6})").find("6 rows"), std::string::npos);
  EXPECT_NE(refusal(R"({"scheme": "tupe"})").find("cannot be trained yet"), std::string::npos);
  EXPECT_NE(refusal("3").find("positions[0]"), std::string::npos);
  const std::string unknown = refusal(R"({"scheme": "tupe"})");
  EXPECT_NE(unknown.find("spec.json: "), std::string::npos) << unknown;
  const std::string task = folder.write("t.json", R"({"task": {"name": "induction", "length": 16, "symbols": 8}})");
  const test::Ran period = posiscope({"train", task, "--out", folder.file("out")});
  EXPECT_NE(period.err.find("t.json: induction: high, the longest period, must be"), std::string::npos) << period.err;
  const test::Ran none = posiscope({"train", folder.file("none.json"), "--out", folder.file("out")});
  EXPECT_EQ(none.code, std::optional<int>(2));
  EXPECT_NE(none.err.find("known: order, length, induction, images"), std::string::npos) << none.err;
}

}  // namespace
}  // namespace posiscope

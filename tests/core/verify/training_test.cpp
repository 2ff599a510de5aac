// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Verification of a training manifest: it notices what is wrong and survives what is malformed.
#include "core/verify.h"

#include "core/files/reader.h"
#include "tests/support/shared.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace posiscope::verify {
namespace {

using nlohmann::json;

/// A copy of the reference set with one case, to be spoiled.
class TrainingManifest : public testing::Test {
 protected:
  TrainingManifest() {
    std::filesystem::copy(test::dataPath("reference_training"), folder_.path(),
                          std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
    root_ = json::parse(folder_.read("manifest.json"));
    const json only = root_["cases"][0];
    root_["cases"] = json::array({only});
  }
  json& only() { return root_["cases"][0]; }

  /// The reports of the one case (tasks and generators are judged by other tests).
  std::vector<CaseReport> judged() {
    const std::string path = folder_.write("manifest.json", root_.dump());
    const auto report = run(path, {{"none"}, Precision::single}, Job{});
    if (!report) {
      ADD_FAILURE() << report.error().message.en;
      return {};
    }
    return report->cases;
  }
  std::vector<std::string> failedQuantities() {
    std::vector<std::string> failed;
    for (const CaseReport& c : judged())
      if (c.state == State::failed) failed.push_back(c.quantity);
    return failed;
  }
  using Names = std::vector<std::string>;

  test::TemporaryFolder folder_;
  json root_;
};

TEST_F(TrainingManifest, PassesAsItIs) {
  EXPECT_EQ(failedQuantities(), Names{});
  EXPECT_GT(judged().size(), 8u);
}

TEST_F(TrainingManifest, ADifferentAnswerFailsAndNoOther) {
  only()["loss"] = only()["loss"].get<double>() + 1e-4;
  EXPECT_EQ(failedQuantities(), Names{"loss"});
  only()["run"][3][1] = 1.0;
  EXPECT_EQ(failedQuantities(), (Names{"loss", "run"}));
}

TEST_F(TrainingManifest, ADifferentGradientIsNamed) {
  const std::string file = folder_.file("none/grad.npy");
  const auto gradient = files::readNpy(file);
  ASSERT_TRUE(gradient);
  std::vector<double> values = *gradient->values;
  values[400] += 1e-3;
  ASSERT_TRUE(files::writeNpy(file, makeArray(gradient->shape, values)));
  for (const CaseReport& c : judged())
    if (c.quantity == "grad") {
      EXPECT_EQ(c.state, State::failed);
      EXPECT_NE(c.note.find("layers.0.attn.q.weight"), std::string::npos) << c.note;
    }
}

TEST_F(TrainingManifest, MalformedCasesFailWithoutHarm) {
  const json right = only();
  for (const char* key : {"config", "tokens", "targets", "params", "logits", "run", "optimiser", "batch", "final"}) {
    only() = right;
    only().erase(key);
    if (std::string(key) == "config") continue;  // without it the case has no scheme to be chosen by
    EXPECT_FALSE(failedQuantities().empty()) << key;
  }
  only() = right;
  only()["batch"] = 20;
  EXPECT_EQ(failedQuantities(), Names{"case"});
  only() = right;
  only()["config"]["d_model"] = 1000000000;
  EXPECT_EQ(failedQuantities(), Names{"case"});
  only() = right;
  only()["run"].push_back(only()["run"][0]);
  EXPECT_EQ(failedQuantities(), Names{"case"});
  only() = right;
  only()["tokens"] = "none/logits.npy";
  EXPECT_FALSE(failedQuantities().empty());
  only() = right;
  root_["init_base"]["params"][0][2] = 1 << 30;
  EXPECT_EQ(failedQuantities(), Names{"case"});
}

TEST_F(TrainingManifest, ASchemeThatIsNotTrainedIsUnsupported) {
  only()["config"]["pe"] = {{"kind", "tupe"}};
  const auto report = run(folder_.write("manifest.json", root_.dump()), {{"tupe"}, Precision::single}, Job{});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->unsupported, 1);
  EXPECT_EQ(report->passed + report->failed, 0);
}

TEST_F(TrainingManifest, StopsWhenAsked) {
  const Job job;
  job.stop();
  const auto report = run(folder_.write("manifest.json", root_.dump()), {}, job);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace posiscope::verify

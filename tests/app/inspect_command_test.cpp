// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/reader.h"
#include "core/models/model.h"
#include "core/session.h"
#include "tests/app/command_line.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace posiscope {
namespace {

using test::posiscope;

TEST(InspectCommand, ItNamesTheScaling) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("config.json", R"({"model_type": "llama", "hidden_size": 64,
    "num_attention_heads": 4, "rope_theta": 10000.0, "max_position_embeddings": 8192,
    "rope_scaling": {"rope_type": "linear", "factor": 4.0}})");
  const test::Ran ran = posiscope({"inspect", file});
  EXPECT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  const SchemeChoice choice{"rope", {{"scaling", std::string("linear")}}, "", 0, true};
  EXPECT_NE(ran.out.find(displayName(choice).en), std::string::npos) << ran.out;
}

TEST(InspectCommand, TheExperimentOfATableIsASession) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(files::writeNpy(folder.file("t.npy"), makeArray({3, 2}, {1, 2, 3, 4, 5, 6})));
  const test::Ran ran = posiscope({"inspect", folder.file("t.npy"), "--json"});
  ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  const auto experiment = nlohmann::json::parse(ran.out)["experiment"];
  const Expected<session::Opened> opened = session::open(folder.write("s.json", experiment.dump()));
  ASSERT_TRUE(opened) << opened.error().message.en;
  EXPECT_TRUE(opened->missing.empty());
  EXPECT_TRUE(opened->notes.empty()) << opened->notes.front().en;
  const auto inspection = models::inspect(folder.file("t.npy"));
  ASSERT_TRUE(inspection);
  EXPECT_EQ(opened->experiment, models::experimentOf(*inspection, Experiment{}));
}

}  // namespace
}  // namespace posiscope

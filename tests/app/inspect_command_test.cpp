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

TEST(InspectCommand, TheOriginOfALlamaPicksItsPairs) {
  const test::TemporaryFolder folder;
  const std::string file =
      folder.write("config.json", R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4})");
  const test::Ran gguf = posiscope({"inspect", file, "--origin", "gguf"});
  EXPECT_EQ(gguf.code, std::optional<int>(0)) << gguf.err;
  EXPECT_NE(gguf.out.find("why     weights in GGUF → adjacent pairs"), std::string::npos) << gguf.out;
  EXPECT_EQ(posiscope({"inspect", file}).out.find("→ adjacent"), std::string::npos);
  const test::Ran unknown = posiscope({"inspect", file, "--origin", "ggml"});
  EXPECT_EQ(unknown.code, std::optional<int>(2));
  EXPECT_NE(unknown.err.find("--origin must be converted, original or gguf; got 'ggml'"), std::string::npos)
      << unknown.err;
}

TEST(InspectCommand, ASessionIsNotTakenForAConfiguration) {
  const test::TemporaryFolder folder;
  const std::string session = folder.write("s.json", R"({"posiscope_session": 1, "shape": {"seq_len": 48},
    "content": {"source": "arrays", "q": {"file": "/nowhere/q.npy", "shape": [1, 2, 2], "digest": "0"}},
    "schemes": [{"id": "rope", "values": {"base": 500000}}, {"id": "alibi"}]})");
  const test::Ran ran = posiscope({"inspect", session});
  ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  for (const char* part : {"s.json: session\n", "scheme  rope  ", "scheme  alibi  ", " seq_len 48",
                           "missing content.q: the file /nowhere/q.npy is missing."})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << "\n" << ran.out;
  const auto object = nlohmann::json::parse(posiscope({"inspect", session, "--json"}).out);
  EXPECT_EQ(object["kind"], "session");
  EXPECT_EQ(object["schemes"], 2);
  EXPECT_EQ(object["experiment"]["schemes"][1]["id"], "alibi");
  EXPECT_EQ(object["missing"][0]["where"], "content.q");
  EXPECT_EQ(object["missing"][0]["file"], "/nowhere/q.npy");

  const test::Ran as_model = posiscope({"compute", "similarity", "--model", session});
  EXPECT_EQ(as_model.code, std::optional<int>(2));
  EXPECT_NE(as_model.err.find("start from it with --session " + session), std::string::npos) << as_model.err;
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

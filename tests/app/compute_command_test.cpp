// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/reader.h"
#include "core/measures/list.h"
#include "tests/app/command_line.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/zip_bytes.h"

#include <gtest/gtest.h>
#include <cmath>
#include <filesystem>
#include <limits>

namespace posiscope {
namespace {

using test::posiscope;

class ComputeCommand : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return folder_.file(name); }
  Array read(const std::string& name) const {
    const Expected<Array> array = files::readNpy(file(name));
    if (!array) ADD_FAILURE() << array.error().message.en;
    return array.value_or(Array{});
  }
  test::TemporaryFolder folder_;
};

TEST_F(ComputeCommand, OneSchemeGivesOneFile) {
  const test::Ran ran = posiscope({"compute", "position_table", "--scheme", "sinusoidal", "--seq-len", "3", "--d-model",
                                   "4", "--first-position", "-1.5", "--out", file("t.npy")});
  ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  const Array table = read("t.npy");
  EXPECT_EQ(table.shape, (std::vector<std::int64_t>{3, 4}));
  EXPECT_NEAR(table.data()[0], std::sin(-1.5), 1e-6);
  EXPECT_NEAR(table.data()[5], std::cos(-0.5), 1e-6);
}

// Numbers of a default in place of a refused field would be taken for the model's.
TEST_F(ComputeCommand, ARefusedFieldOfAModelIsNamed) {
  folder_.write("m/config.json", R"({"model_type":"llama","hidden_size":64,"num_attention_heads":8,"rope_theta":-3,)"
                                 R"("max_position_embeddings":128})");
  const test::Ran ran = posiscope({"compute", "spectrum", "--model", file("m"), "--out", file("s.csv")});
  EXPECT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  EXPECT_NE(ran.err.find("rope_theta must be"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("got -3"), std::string::npos) << ran.err;
}

TEST_F(ComputeCommand, SeveralSchemesGiveNumberedFiles) {
  const test::Ran ran =
      posiscope({"compute", "position_table", "--scheme", "sinusoidal", "--scheme", "sinusoidal,layout=concat",
                 "--seq-len", "2", "--d-model", "4", "--out", file("t.npy")});
  ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(file("t.npy")));
  EXPECT_NEAR(read("t.1.npy").data()[5], std::cos(1.0), 1e-6);  // sin, cos, sin, cos
  EXPECT_NEAR(read("t.2.npy").data()[6], std::cos(1.0), 1e-6);  // sin, sin, cos, cos
}

TEST_F(ComputeCommand, EachFileIsToldWithTheValuesOfItsScheme) {
  const std::vector<std::string> question{
      "compute",    "spectrum", "--scheme",  "rope", "--scheme", "rope,base=500000,pairing=half",
      "--head-dim", "4",        "--seq-len", "2"};
  std::vector<std::string> to_files = question;
  to_files.insert(to_files.end(), {"--out", file("s.csv")});
  const test::Ran written = posiscope(to_files);
  ASSERT_EQ(written.code, std::optional<int>(0)) << written.err;
  EXPECT_EQ(written.out,
            "wrote " + file("s.1.csv") + " (rope), " + file("s.2.csv") + " (rope,base=500000,pairing=half)\n");
  const test::Ran printed = posiscope(question);
  EXPECT_EQ(printed.out, folder_.read("s.1.csv") + "\n" + folder_.read("s.2.csv"));
  EXPECT_EQ(folder_.read("s.2.csv").find('#'), std::string::npos) << "numbers only: scripts read these files";
  EXPECT_TRUE(printed.err.starts_with("rope:\n")) << printed.err;
  EXPECT_NE(printed.err.find("\nrope,base=500000,pairing=half:\n"), std::string::npos) << printed.err;
}

TEST_F(ComputeCommand, ASchemeWithNothingToShowIsSkippedAndTheOthersKeepTheirNumbers) {
  const std::vector<std::string> small{"--seq-len", "8", "--d-model", "8", "--num-heads", "1", "--head-dim", "8"};
  const auto run = [&](std::vector<std::string> arguments, const std::string& out) {
    arguments.insert(arguments.end(), small.begin(), small.end());
    arguments.insert(arguments.end(), {"--out", file(out)});
    return posiscope(arguments);
  };
  const test::Ran ran =
      run({"compute", "spectrum", "--scheme", "rope", "--scheme", "alibi", "--scheme", "sinusoidal"}, "s.npy");
  EXPECT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  EXPECT_EQ(ran.out, "wrote " + file("s.1.npy") + " (rope), " + file("s.3.npy") + " (sinusoidal)\n");
  EXPECT_NE(ran.err.find("alibi: "), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("; nothing to write\n"), std::string::npos) << ran.err;
  EXPECT_TRUE(std::filesystem::exists(file("s.1.npy")) && std::filesystem::exists(file("s.3.npy")));
  EXPECT_FALSE(std::filesystem::exists(file("s.2.npy")));

  const test::Ran nothing = run({"compute", "spectrum", "--scheme", "none", "--scheme", "alibi"}, "n.npy");
  EXPECT_EQ(nothing.code, std::optional<int>(2));
  EXPECT_EQ(test::lines(nothing.err).size(), 1u) << nothing.err;
  EXPECT_TRUE(nothing.out.empty()) << nothing.out;
}

TEST_F(ComputeCommand, SchemesOfOneIdAreToldApart) {
  const test::Ran nothing = posiscope({"compute", "norm_ratio", "--scheme", "rope", "--scheme", "rope,base=500000",
                                       "--scheme", "alibi", "--seq-len", "8"});
  EXPECT_EQ(nothing.code, std::optional<int>(2));
  for (const char* name : {"norm_ratio of rope: ", "norm_ratio of rope,base=500000: ", "norm_ratio of alibi: "})
    EXPECT_NE(nothing.err.find(name), std::string::npos) << name << nothing.err;
  const test::Ran same = posiscope({"compute", "norm_ratio", "--scheme", "rope", "--scheme", "rope", "--seq-len", "8"});
  for (const char* name : {"norm_ratio of rope (scheme 1): ", "norm_ratio of rope (scheme 2): "})
    EXPECT_NE(same.err.find(name), std::string::npos) << name << same.err;
}

TEST_F(ComputeCommand, AnErrorOfOneSchemeLeavesNoFiles) {
  // The pairs of a narrow head fit into a file, the wide table beside them does not.
  const test::Ran ran =
      posiscope({"compute", "position_table", "--scheme", "rope", "--scheme", "sinusoidal", "--seq-len", "200000",
                 "--d-model", "16384", "--head-dim", "2", "--out", file("t.npy")});
  EXPECT_EQ(ran.code, std::optional<int>(2));
  EXPECT_EQ(test::lines(ran.err).size(), 1u) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(file("t.1.npy")));
}

TEST_F(ComputeCommand, AFolderThatIsNotThereIsToldBeforeAnythingIsComputed) {
  // More than a memory holds: if it were computed first, that would be the sentence.
  const test::Ran ran = posiscope(
      {"compute", "attention_weights", "--scheme", "rope", "--seq-len", "16777216", "--out", file("gone/w.npy")});
  EXPECT_EQ(ran.code, std::optional<int>(2));
  EXPECT_NE(ran.err.find("there is no folder '" + file("gone") + "'"), std::string::npos) << ran.err;
}

TEST_F(ComputeCommand, WhatASessionLostOnOpeningIsTold) {
  const std::string session =
      folder_.write("s.json", R"({"posiscope_session": 1, "schemes": [{"id": "rope"}], "weather": 1})");
  const test::Ran ran =
      posiscope({"compute", "spectrum", "--session", session, "--seq-len", "8", "--out", file("s.npy")});
  EXPECT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  EXPECT_NE(ran.err.find("weather"), std::string::npos) << ran.err;
}

TEST_F(ComputeCommand, AValueOfTheSessionThatIsNotAllowedIsAnError) {
  const std::string session = folder_.write(
      "s.json", R"({"posiscope_session": 1, "schemes": [{"id": "rope", "values": {"base": -1}}], "weather": 1})");
  for (const std::string command : {"compute", "figure"}) {
    const std::string out = file(command == "figure" ? "s.svg" : "s.npy");
    const test::Ran ran = posiscope({command, "spectrum", "--session", session, "--seq-len", "8", "--out", out});
    EXPECT_EQ(ran.code, std::optional<int>(2)) << ran.err;
    EXPECT_NE(ran.err.find(session + ": schemes[0]: base must be "), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find(", got -1\n"), std::string::npos) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(out));
  }
}

TEST_F(ComputeCommand, ArraysBesideAnotherContentAreAnErrorThatNamesTheFlags) {
  ASSERT_TRUE(files::writeNpy(file("q.npy"), makeArray({1, 2, 2}, {0, 0, 2, 0})));
  const std::string array = "@" + file("q.npy");
  const test::Ran ran =
      posiscope({"compute", "attention_weights", "--scheme", "none", "--seq-len", "2", "--num-heads", "1", "--head-dim",
                 "2", "--content", "random", "--q", array, "--k", array, "--out", file("w.npy")});
  EXPECT_EQ(ran.code, std::optional<int>(2));
  EXPECT_NE(ran.err.find("--content random does not use --q and --k"), std::string::npos) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(file("w.npy")));
}

TEST_F(ComputeCommand, WhatAnArchiveHoldsIsSaidOrAskedFor) {
  const std::string weights = test::npyBytes("(1, 2, 2)", {1, 0, 0.25, 0.75});
  const std::string one = folder_.write(
      "one.npz",
      test::zipBytes({{"attentions.npy", test::npyBytes("(0,)", {})}, {"other.npy", weights}}, test::ZipWay::stored));
  const test::Ran taken = posiscope({"compute", "attention_weights", "--scheme", "none", "--content", "attention",
                                     "--attention", "@" + one, "--out", file("w.npy")});
  EXPECT_EQ(taken.code, std::optional<int>(0)) << taken.err;
  EXPECT_NE(taken.err.find("attention: other is shown; no numbers are stored in attentions\n"), std::string::npos)
      << taken.err;
  const std::string two =
      folder_.write("two.npz", test::zipBytes({{"a.npy", weights}, {"b.npy", weights}}, test::ZipWay::stored));
  const test::Ran asked = posiscope({"compute", "attention_weights", "--model", two, "--out", file("w.npy")});
  EXPECT_EQ(asked.code, std::optional<int>(2));
  EXPECT_EQ(asked.err, "posiscope: " + two + ": one of its arrays must be named, as " + two +
                           "#NAME; there are a (1, 2, 2), b (1, 2, 2)\n");
  const std::string six = folder_.write("six.npy", test::npyBytes("(1, 1, 1, 1, 1, 2)", {1, 2}));
  const test::Ran refused = posiscope({"compute", "attention_weights", "--model", six, "--out", file("w.npy")});
  EXPECT_EQ(test::lines(refused.err).size(), 1U) << refused.err;
  EXPECT_NE(refused.err.find("can be shown, got 6: shape (1, 1, 1, 1, 1, 2)"), std::string::npos) << refused.err;
}

TEST_F(ComputeCommand, AttentionStoredElsewhereIsGivenBack) {
  const std::vector<double> weights{1, 0, 0.25, 0.75, 1, 0, 0.5, 0.5};
  ASSERT_TRUE(files::writeNpy(file("dump.npy"), makeArray({2, 2, 2}, weights)));
  const std::string question = "attention_weights";
  test::Ran ran = posiscope({"compute", question, "--model", file("dump.npy"), "--out", file("opened.npy")});
  ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  EXPECT_EQ(*read("opened.npy").values, weights);
  ran = posiscope({"compute", question, "--scheme", "rope", "--num-heads", "2", "--seq-len", "2", "--attention",
                   "@" + file("dump.npy"), "--out", file("given.npy")});
  ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  EXPECT_EQ(*read("given.npy").values, weights);
}

TEST_F(ComputeCommand, TheMaskOfADumpIsFoundHoweverItIsGiven) {
  const std::vector<double> weights{1, 0, 0, 0.25, 0.75, 0, 0.25, 0.25, 0.5};
  ASSERT_TRUE(files::writeNpy(file("dump.npy"), makeArray({1, 3, 3}, weights)));
  const test::Ran opened = posiscope({"compute", "heads", "--model", file("dump.npy")});
  std::vector<std::string> given{"compute", "heads", "--scheme", "none", "--num-heads", "1", "--seq-len", "3"};
  given.insert(given.end(), {"--content", "attention", "--attention", "@" + file("dump.npy")});
  ASSERT_EQ(opened.code, std::optional<int>(0)) << opened.err;
  EXPECT_EQ(posiscope(given).out, opened.out);
  given.insert(given.end(), {"--mask", "none"});
  EXPECT_NE(posiscope(given).out, opened.out) << "what is asked for is taken";
}

TEST_F(ComputeCommand, NamedAxesOpenADumpAndItsSizesFollow) {
  // [query, key, head]
  ASSERT_TRUE(files::writeNpy(file("t.npy"), makeArray({2, 3, 1}, {0.5, 0.25, 0.25, 0.125, 0.375, 0.5})));
  const std::vector<std::string> axes{"--attention-axes", "query,key,head", "--out", file("w.npy")};
  for (const std::vector<std::string>& how :
       {std::vector<std::string>{"--model", file("t.npy")},
        std::vector<std::string>{"--scheme", "none", "--attention", "@" + file("t.npy")}}) {
    std::vector<std::string> arguments{"compute", "attention_weights"};
    arguments.insert(arguments.end(), how.begin(), how.end());
    arguments.insert(arguments.end(), axes.begin(), axes.end());
    const test::Ran ran = posiscope(arguments);
    ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.err;
    EXPECT_EQ(read("w.npy").shape, (std::vector<std::int64_t>{2, 3}));
  }
  const test::Ran wrong =
      posiscope({"compute", "attention_weights", "--model", file("t.npy"), "--attention-axes", "key"});
  EXPECT_EQ(wrong.code, std::optional<int>(2));
}

TEST_F(ComputeCommand, AMaskThatIsAskedForTakesThePlaceOfTheDumps) {
  const double none = -std::numeric_limits<double>::infinity();
  ASSERT_TRUE(files::writeNpy(file("l.npy"), makeArray({1, 3, 3}, {1, 2, 3, 4, 5, 6, none, 8, 9})));
  const std::vector<std::string> plain{"compute", "heads", "--model", file("l.npy")};
  std::vector<std::string> seen = plain;
  seen.insert(seen.end(), {"--mask", "none"});
  EXPECT_NE(posiscope(plain).out, posiscope(seen).out) << "the key that is masked counts as seen";
}

TEST_F(ComputeCommand, OneLostNumberOfADumpIsTold) {
  ASSERT_TRUE(files::writeNpy(file("dump.npy"), makeArray({1, 2, 2}, {1, 0, 0.25, 0.5})));
  const test::Ran ran = posiscope({"compute", "attention_weights", "--model", file("dump.npy")});
  EXPECT_NE(ran.err.find("logits: 1 of 2 rows do not sum to 1"), std::string::npos) << ran.err;
}

TEST_F(ComputeCommand, TermsOfTheLogitsTellTheirShares) {
  const test::Ran ran = posiscope({"compute", "score_terms", "--scheme", "sinusoidal", "--seq-len", "8"});
  ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  EXPECT_NE(ran.err.find("Shares of the variance of the logits: "), std::string::npos) << ran.err;
}

TEST_F(ComputeCommand, CsvGoesToAFileOrIsPrinted) {
  const std::vector<std::string> question{"compute", "position_table", "--scheme", "sinusoidal", "--seq-len",
                                          "2",       "--d-model",      "2"};
  std::vector<std::string> to_file = question;
  to_file.insert(to_file.end(), {"--out", file("t.csv")});
  ASSERT_EQ(posiscope(to_file).code, std::optional<int>(0));
  const test::Ran printed = posiscope(question);
  EXPECT_EQ(printed.out, folder_.read("t.csv"));
  EXPECT_EQ(test::lines(printed.out).size(), 3u);
}

TEST_F(ComputeCommand, AZeroInCsvHasNoSign) {
  const test::Ran ran = posiscope({"compute", "bias_by_offset", "--scheme", "alibi", "--seq-len", "4"});
  ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  for (const std::string& line : test::lines(ran.out)) EXPECT_EQ((line + ",").find(",-0,"), std::string::npos) << line;
}

TEST_F(ComputeCommand, NumbersThatDoNotFitAreRefusedNotWrittenEmpty) {
  const test::Ran ran =
      posiscope({"compute", "similarity", "--scheme", "rope", "--seq-len", "50000", "--out", file("big.npy")});
  EXPECT_EQ(ran.code, std::optional<int>(2));
  EXPECT_NE(ran.err.find("the limit is"), std::string::npos) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(file("big.npy")));
}

TEST_F(ComputeCommand, MaskAndPaddingRulesHoldTogether) {
  const test::Ran ran = posiscope({"compute", "attention_weights", "--scheme", "none", "--seq-len", "4", "--num-heads",
                                   "1", "--head-dim", "2", "--content", "ones", "--mask", "causal,window:2",
                                   "--key-padding", "1,1,0,1", "--out", file("w.npy")});
  ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  const Array w = read("w.npy");
  const std::vector<double> right{1, 0, 0, 0, 0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 0.5, 0, 0.5};
  ASSERT_EQ(w.size(), 16);
  for (std::size_t e = 0; e < right.size(); ++e) EXPECT_NEAR(w.data()[e], right[e], 1e-6) << e;
}

TEST_F(ComputeCommand, PaddingThatIsAddedToTheLogitsIsRefused) {
  const Array added = makeArray({4}, {0, 0, 0, -1e9});
  ASSERT_TRUE(files::writeNpy(file("added.npy"), added));
  for (const char* flag : {"--key-padding", "--query-padding"}) {
    const test::Ran ran = posiscope({"compute", "attention_weights", "--scheme", "none", "--seq-len", "4", flag,
                                     "@" + file("added.npy"), "--out", file("w.npy")});
    EXPECT_EQ(ran.code, std::optional<int>(2));
    EXPECT_NE(ran.err.find(std::string(flag) + " must hold 1 (real) and 0 (padding), got -1e"), std::string::npos)
        << ran.err;
  }
}

TEST_F(ComputeCommand, PaddingIsCountedFromAnEnd) {
  const auto weights = [&](std::vector<std::string> flags) {
    std::vector<std::string> all{
        "compute", "attention_weights", "--scheme", "none",      "--seq-len", "4",     "--num-heads",
        "1",       "--head-dim",        "2",        "--content", "ones",      "--out", file("w.npy")};
    all.insert(all.end(), flags.begin(), flags.end());
    const test::Ran ran = posiscope(all);
    EXPECT_EQ(ran.code, std::optional<int>(0)) << ran.err;
    const Array w = read("w.npy");
    return std::vector<double>(w.data(), w.data() + w.size());
  };
  EXPECT_EQ(weights({"--key-padding", "end:2", "--query-padding", "end:1"}),
            (std::vector<double>{0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(weights({"--mask", "causal", "--key-padding", "start:3"}),
            (std::vector<double>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(weights({"--mask", "shifted:2,shift:1"}),
            (std::vector<double>{1, 0, 0, 0, 0, 0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 0, 1}));
  EXPECT_EQ(weights({"--mask", "prefix:2"}), (std::vector<double>{0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0, 1 / 3.0F, 1 / 3.0F,
                                                                  1 / 3.0F, 0, 0.25, 0.25, 0.25, 0.25}))
      << "alone it is the prefix language model's";
  EXPECT_EQ(weights({"--mask", "shifted:2,prefix:1"}),
            (std::vector<double>{0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0, 1 / 3.0F, 0, 1 / 3.0F, 1 / 3.0F, 1 / 3.0F, 0, 1 / 3.0F,
                                 1 / 3.0F}));
}

TEST_F(ComputeCommand, ArraysFromFilesAreTheContent) {
  ASSERT_TRUE(files::writeNpy(file("q.npy"), makeArray({1, 2, 2}, {0, 0, 2, 0})));
  ASSERT_TRUE(files::writeNpy(file("k.npy"), makeArray({1, 2, 2}, {1, 0, 0, 0})));
  const test::Ran ran =
      posiscope({"compute", "attention_weights", "--scheme", "none", "--seq-len", "2", "--num-heads", "1", "--head-dim",
                 "2", "--q", "@" + file("q.npy"), "--k", "@" + file("k.npy"), "--out", file("w.npy")});
  ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  EXPECT_NEAR(read("w.npy").data()[2], 1 / (1 + std::exp(-std::sqrt(2.0))), 1e-6);  // scale 1/√2
}

TEST_F(ComputeCommand, AnArrayParameterIsReadFromAFile) {
  ASSERT_TRUE(files::writeNpy(file("table.npy"), makeArray({3, 2}, {0, 1, 2, 3, 4, 5})));
  const test::Ran ran =
      posiscope({"compute", "position_table", "--scheme", "learned,table=@" + file("table.npy"), "--seq-len", "2",
                 "--d-model", "2", "--first-position", "1", "--out", file("t.npy")});
  ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  EXPECT_EQ(*read("t.npy").values, (std::vector<double>{2, 3, 4, 5}));
}

TEST_F(ComputeCommand, WhatAnArrayHoldsBesideNumbersIsTold) {
  ASSERT_TRUE(files::writeNpy(file("table.npy"), makeArray({2, 2}, {0, 1, std::nan(""), 3})));
  const test::Ran ran = posiscope({"compute", "position_table", "--scheme", "learned,table=@" + file("table.npy"),
                                   "--seq-len", "2", "--d-model", "2", "--out", file("t.npy")});
  ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  EXPECT_NE(ran.err.find("table.npy: 1 of 4 numbers is not a number (NaN)\n"), std::string::npos) << ran.err;
}

TEST_F(ComputeCommand, APresetGivesShapeAndScheme) {
  const test::Ran ran = posiscope({"compute", "spectrum", "--model", "llama-3.1-8b", "--out", file("s.npy")});
  ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  EXPECT_EQ(read("s.npy").shape.back(), 64);  // pairs of a head of 128
}

TEST_F(ComputeCommand, TheNumberOfThreadsDoesNotChangeTheNumbers) {
  std::vector<std::string> question{"compute", "attention_weights", "--scheme", "rope",       "--seq-len",
                                    "40",      "--num-heads",       "2",        "--head-dim", "8"};
  const auto printed = [&](const char* threads) {
    std::vector<std::string> arguments = question;
    arguments.insert(arguments.end(), {"--threads", threads});
    return posiscope(arguments).out;
  };
  EXPECT_EQ(printed("1"), printed("3"));
}

TEST_F(ComputeCommand, EveryMeasureOfEverySchemeIsComputedOrRefusedWithASentence) {
  for (const Measure& m : measures::catalogue())
    for (const char* scheme : {"none", "sinusoidal", "learned", "rope", "t5_simple", "t5_log", "alibi"}) {
      const test::Ran ran = posiscope({"compute", m.id, "--scheme", scheme, "--seq-len", "16", "--d-model", "16",
                                       "--num-heads", "2", "--head-dim", "8", "--out", file("x.npy")});
      const bool written = ran.code == std::optional<int>(0) && read("x.npy").size() > 0;
      const bool refused = ran.code == std::optional<int>(2) && !ran.err.empty();
      EXPECT_TRUE(written || refused) << m.id << " " << scheme;
    }
}

}  // namespace
}  // namespace posiscope

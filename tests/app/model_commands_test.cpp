// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/command_line.h"
#include "tests/support/golden.h"
#include "tests/support/real_models.h"
#include "tests/support/small_model.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/zip_bytes.h"

#include <filesystem>
#include <limits>

namespace posiscope {
namespace {

using test::posiscope;

const std::string bert = test::dataPath("models/bert-random");
/// Its tokens, segments and padding, and where to write.
std::vector<std::string> bertAttention(const std::string& layer, const std::string& out) {
  return {"attention",
          "--model",
          bert,
          "--tokens",
          bert + "/tokens.npy",
          "--segments",
          bert + "/segments.npy",
          "--attention-mask",
          bert + "/attention_mask.npy",
          "--layer",
          layer,
          "--out",
          out};
}

class AttentionCommand : public testing::Test {
 protected:
  std::string refusal(const std::vector<std::string>& arguments) const {
    const test::Ran ran = posiscope(arguments);
    EXPECT_EQ(ran.code, std::optional<int>(2)) << ran.out;
    EXPECT_EQ(test::lines(ran.err).size(), 1u) << ran.err;
    return ran.err;
  }
  test::TemporaryFolder folder;
};

TEST_F(AttentionCommand, writesTheTrueWeightsOfALayer) {
  const Array truth = *files::readNpy(bert + "/attention_weights.npy");
  const test::Ran ran = posiscope(bertAttention("1", folder.file("w.npy")));
  ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  const Array found = *files::readNpy(folder.file("w.npy"));
  EXPECT_EQ(found.shape, (std::vector<std::int64_t>{4, 20, 20}));
  test::expectClose(*found.values, makeArray({4, 20, 20}, {truth.data() + 1600, truth.data() + 3200}), 0, 1e-9, "w");

  std::vector<std::string> one = bertAttention("2", folder.file("h.npy"));
  one.insert(one.end(), {"--head", "3"});
  ASSERT_EQ(posiscope(one).code, std::optional<int>(0));
  const Array head = *files::readNpy(folder.file("h.npy"));
  EXPECT_EQ(head.shape, (std::vector<std::int64_t>{20, 20}));
  test::expectClose(*head.values, makeArray({20, 20}, {truth.data() + 4400, truth.data() + 4800}), 0, 1e-9, "h");
}

TEST_F(AttentionCommand, writesWhatTheLayerWorksOn) {
  folder.write("m/config.json", test::smallLlamaConfig());
  folder.write("m/model.safetensors", test::smallModel(test::smallLlama()));
  const auto model = transformers::openModel(folder.file("m"));
  ASSERT_TRUE(model);
  const auto truth =
      test::traced<double>(*model, {{1, 2, 3}, {}, {}}, {.layers = {1}, .projections = true, .hidden = true});
  const transformers::LayerTrace<double>& layer = truth.layers.front();
  const std::vector<std::string> asked{"attention", "--model", folder.file("m"), "--tokens",          "1,2,3",
                                       "--layer",   "1",       "--out",          folder.file("a.npy")};
  const auto written = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = asked;
    arguments.insert(arguments.end(), more.begin(), more.end());
    const test::Ran ran = posiscope(arguments);
    EXPECT_EQ(ran.code, std::optional<int>(0)) << ran.err;
    return *files::readNpy(folder.file("a.npy"));
  };
  using Numbers = std::vector<std::int64_t>;
  EXPECT_EQ(written({"--quantity", "q"}).shape, (Numbers{4, 3, 4}));
  EXPECT_EQ(*written({"--quantity", "q"}).values, layer.q);
  EXPECT_EQ(written({"--quantity", "k"}).shape, (Numbers{2, 3, 4}));
  EXPECT_EQ(*written({"--quantity", "k"}).values, layer.k);
  EXPECT_EQ(*written({"--quantity", "v"}).values, layer.v);
  const Array key = written({"--quantity", "k", "--head", "3"});  // two queries' heads share one of the keys
  EXPECT_EQ(key.shape, (Numbers{3, 4}));
  EXPECT_EQ(*key.values, std::vector<double>(layer.k.begin() + 12, layer.k.end()));
  const Array hidden = written({"--quantity", "hidden"});
  EXPECT_EQ(hidden.shape, (Numbers{3, 8}));
  EXPECT_EQ(*hidden.values, truth.hidden.back().values);
  EXPECT_EQ(*written({"--quantity", "logits"}).values, *written({"--logits"}).values);
  const auto refused = [&](std::vector<std::string> more) {
    more.insert(more.begin(), asked.begin(), asked.end());
    return refusal(more);
  };
  EXPECT_NE(refused({"--quantity", "keys"}).find("--quantity must be weights, logits, q, k, v or hidden, got 'keys'"),
            std::string::npos);
  EXPECT_NE(refused({"--quantity", "q", "--logits"}).find("one of the two must go"), std::string::npos);
  EXPECT_NE(refused({"--quantity", "hidden", "--head", "0"}).find("has no heads"), std::string::npos);
  std::vector<std::string> drawn = asked;
  drawn.back() = folder.file("a.svg");
  drawn.insert(drawn.end(), {"--quantity", "q"});
  EXPECT_NE(refusal(drawn).find("--out must end in .npy for --quantity q"), std::string::npos);
}

TEST_F(AttentionCommand, aVocabularyThatCannotBeReadIsToldOf) {
  folder.write("m/config.json", test::smallLlamaConfig());
  folder.write("m/model.safetensors", test::smallModel(test::smallLlama()));
  folder.write("m/tokenizer.json", R"({"model":{"vocab":{"a":-1}}})");
  const std::string note = "; the tokens are written as their ids\n";
  const test::Ran drawn = posiscope(
      {"attention", "--model", folder.file("m"), "--tokens", "1,2,3", "--layer", "0", "--out", folder.file("a.svg")});
  EXPECT_EQ(drawn.code, std::optional<int>(0)) << drawn.err;
  EXPECT_NE(drawn.err.find(note), std::string::npos) << drawn.err;
  const test::Ran figure = posiscope({"figure", "attention_row", "--model", folder.file("m"), "--token-ids", "1 2 3",
                                      "--seq-len", "3", "--out", folder.file("b.svg")});
  EXPECT_EQ(figure.code, std::optional<int>(0)) << figure.err;
  EXPECT_NE(figure.err.find(note), std::string::npos) << figure.err;
}

TEST_F(AttentionCommand, drawsAHeadAndAllHeads) {
  std::vector<std::string> arguments = bertAttention("0", folder.file("all.svg"));
  const test::Ran all = posiscope(arguments);
  ASSERT_EQ(all.code, std::optional<int>(0)) << all.err;
  arguments.back() = folder.file("one.svg");
  arguments.insert(arguments.end(), {"--head", "1"});
  ASSERT_EQ(posiscope(arguments).code, std::optional<int>(0));
  EXPECT_NE(folder.read("all.svg"), folder.read("one.svg"));
  EXPECT_NE(folder.read("one.svg").find("<svg"), std::string::npos);
}

TEST_F(AttentionCommand, namesTheTokensByTheVocabularyBesideTheModel) {
  std::string vocabulary;
  for (int id = 0; id < 40; ++id) vocabulary += "word" + std::to_string(id) + "\n";
  folder.write("m/vocab.txt", vocabulary);
  for (const char* name : {"config.json", "model.safetensors"})
    std::filesystem::copy_file(bert + "/" + name, folder.file(std::string("m/") + name));
  const test::Ran ran = posiscope({"attention", "--model", folder.file("m"), "--tokens", "5,17,31", "--layer", "0",
                                   "--head", "0", "--out", folder.file("named.svg")});
  ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  for (const char* word : {"word5", "word17", "word31"})
    EXPECT_NE(folder.read("named.svg").find(word), std::string::npos) << word;
}

TEST_F(AttentionCommand, saysThatQueriesMayLookAtNoKey) {
  const auto said = [&](const char* mask) {
    return posiscope({"attention", "--model", bert, "--tokens", "1,2,3", "--attention-mask", mask, "--layer", "0",
                      "--out", folder.file("w.npy")})
        .err;
  };
  EXPECT_NE(said("0,0,0").find("3 of 3 queries may look at no key"), std::string::npos) << said("0,0,0");
  EXPECT_EQ(said("1,1,1").find("may look at no key"), std::string::npos);
}

/// A Llama of which every number of the second layer's queries is NaN.
std::string damagedModel(const test::TemporaryFolder& folder) {
  test::SmallTensors tensors = test::smallLlama();
  tensors["model.layers.1.self_attn.q_proj.weight"].centre = std::numeric_limits<double>::quiet_NaN();
  folder.write("nan/config.json", test::smallLlamaConfig(R"(,"tie_word_embeddings":true)"));
  folder.write("nan/model.safetensors", test::smallModel(tensors));
  return folder.file("nan");
}

TEST_F(AttentionCommand, rowsThatHoldNaNAreCounted) {
  const std::string model = damagedModel(folder);
  const auto ran = [&](std::vector<std::string> more) {
    more.insert(more.begin() + 1, {"--model", model, "--tokens", "1,2,3,4,5,6,7,8,9,1"});
    const test::Ran found = posiscope(more);
    EXPECT_EQ(found.code, std::optional<int>(0)) << found.err;
    return found;
  };
  const std::string out = folder.file("w.npy");
  EXPECT_EQ(ran({"attention", "--layer", "1", "--out", out}).err, "attention: 40 of 40 rows hold NaN\n");
  EXPECT_EQ(ran({"attention", "--layer", "1", "--head", "0", "--logits", "--out", out}).err,
            "attention: 10 of 10 rows hold NaN\n");
  EXPECT_EQ(ran({"attention", "--layer", "0", "--out", out}).err, "");
  EXPECT_EQ(ran({"attention", "--layer", "1", "--out", folder.file("w.svg")}).err,
            "attention: 40 of 40 rows hold NaN\n")
      << "a picture is not looked at by a script";
  EXPECT_EQ(ran({"attention", "--layer", "0", "--out", folder.file("w.svg")}).err, "");
  EXPECT_EQ(ran({"loss-by-position"}).err, "loss-by-position: 9 of 9 losses are NaN\n");
  const test::Ran heads = ran({"heads"});
  EXPECT_EQ(heads.err, "heads: 40 of 80 rows hold NaN\n");
  EXPECT_NE(heads.out.find("1,3,undetermined,nan,"), std::string::npos) << heads.out;
  EXPECT_NE(heads.out.find("10 of 10 rows hold NaN"), std::string::npos) << heads.out;
}

TEST_F(AttentionCommand, theTableOfHeadsHasTheSameColumnsForEveryModel) {
  const auto header = [&](std::vector<std::string> arguments) {
    const test::Ran ran = posiscope(arguments);
    EXPECT_EQ(ran.code, std::optional<int>(0)) << ran.err;
    const std::vector<std::string> table = test::lines(ran.out);
    for (const std::string& line : table)  // evidence with commas of its own is quoted
      EXPECT_EQ(std::ranges::count(line.substr(0, line.find('"')), ','), 21) << line;
    return table.at(0);
  };
  const std::string model = damagedModel(folder);
  const std::string ids = "1,2,3,4,5,6,7,8,9,1";
  EXPECT_EQ(header({"heads", "--model", model, "--tokens", ids}), header({"heads", "--model", bert, "--tokens", ids}));
}

TEST_F(AttentionCommand, lossesOfQueriesThatSeeNothingAreTold) {
  folder.write("m/config.json", test::smallLlamaConfig(R"(,"tie_word_embeddings":true)"));
  folder.write("m/model.safetensors", test::smallModel(test::smallLlama()));
  const auto said = [&](const char* mask) {
    return posiscope({"loss-by-position", "--model", folder.file("m"), "--tokens", "1,2,3,4", "--attention-mask", mask})
        .err;
  };
  EXPECT_EQ(said("0,1,1,1"),
            "loss-by-position: 1 of 3 queries may look at no key; their losses say nothing of the text before.\n");
  EXPECT_EQ(said("1,1,1,0"), "");
}

TEST_F(AttentionCommand, tellsWhatIsWrongInOneSentence) {
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"attention", "--model",           bert, "--tokens", "1,2,3",
                                       "--out",     folder.file("w.npy")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return refusal(arguments);
  };
  EXPECT_NE(with({"--layer", "3"}).find("--layer must be 0 to 2, got 3"), std::string::npos);
  EXPECT_NE(with({"--layer", "one"}).find("whole number"), std::string::npos);
  EXPECT_NE(with({"--layer", "0", "--head", "4"}).find("--head must be 0 to 3, got 4"), std::string::npos);
  EXPECT_NE(with({"--layer", "0", "--set", "rope.factor=4"}).find("learned"), std::string::npos);
  EXPECT_NE(with({"--layer", "0", "--set", "first_position=22"}).find("learned"), std::string::npos);
  EXPECT_NE(with({"--layer", "0", "--segments", "0,2,0"}).find("segment"), std::string::npos);
  EXPECT_NE(with({"--layer", "0", "--attention-mask", "1,1,7"}).find("--attention-mask"), std::string::npos);
  EXPECT_NE(with({"--layer", "0", "--row", "1"}).find("--row 1 takes a row of a --tokens file"), std::string::npos);
  EXPECT_NE(refusal({"attention", "--model", "gpt-2", "--tokens", "1", "--layer", "0", "--out", folder.file("w.npy")})
                .find("got the known model gpt-2, of which only shape and encoding are known"),
            std::string::npos);
  EXPECT_NE(refusal({"attention", "--model", bert, "--tokens", "1,40", "--layer", "0", "--out", folder.file("w.npy")})
                .find("the token at position 1 must be 0 to 39, got 40"),
            std::string::npos);
  EXPECT_NE(
      refusal({"attention", "--model", folder.path(), "--tokens", "1", "--layer", "0", "--out", folder.file("w.npy")})
          .find(folder.path()),
      std::string::npos);
  EXPECT_NE(refusal({"loss-by-position", "--model", bert, "--tokens", "1,2"}).find("predicts"), std::string::npos);
  EXPECT_EQ(folder.listing(), "") << "nothing is left of what was refused";
}

class TrainedModelCommands : public test::RealModelTest {
 protected:
  test::TemporaryFolder out;
};

TEST_F(TrainedModelCommands, writesOneLossAPosition) {
  const Array truth = array("stories260K/loss_by_position.npy");
  const test::Ran ran = posiscope({"loss-by-position", "--model", folder + "/stories260K", "--tokens",
                                   folder + "/stories260K/long_tokens.npy", "--set", "rope.scaling=ntk", "--set",
                                   "rope.factor=2", "--out", out.file("l.npy")});
  ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  const Array found = *files::readNpy(out.file("l.npy"));
  EXPECT_EQ(found.shape, std::vector<std::int64_t>{2047});
  test::expectClose(*found.values, makeArray({2047}, {truth.data() + 2 * 2047, truth.data() + 3 * 2047}), 0, 1e-3, "l");
  const test::Ran printed =
      posiscope({"loss-by-position", "--model", folder + "/stories260K", "--tokens", "1,403,407"});
  EXPECT_EQ(test::lines(printed.out).size(), 2u);
}

TEST_F(TrainedModelCommands, tellsWhichKnobHasNoEffect) {
  const auto said = [&](const std::vector<std::string>& settings) {
    std::vector<std::string> arguments{"loss-by-position", "--model", folder + "/stories260K", "--tokens", "1,403,407"};
    for (const std::string& setting : settings) arguments.insert(arguments.end(), {"--set", setting});
    const test::Ran ran = posiscope(arguments);
    EXPECT_EQ(ran.code, std::optional<int>(0)) << ran.err;
    return ran.err;
  };
  const std::string idle = "rope.factor has no effect while scaling is none; set rope.scaling=linear|ntk|";
  EXPECT_NE(said({"rope.factor=2"}).find(idle), std::string::npos);
  EXPECT_EQ(said({"rope.factor=2", "rope.scaling=ntk"}).find("no effect"), std::string::npos) << "in either order";
  EXPECT_NE(said({"rope.scaling=longrope"}).find("rope: No short_factor is given, so no pair is stretched"),
            std::string::npos);
}

TEST_F(TrainedModelCommands, warnsOfAPairingThatIsNotTheModels) {
  const auto said = [&](const std::string& scheme) {
    const test::Ran ran = posiscope({"compute", "loss_by_position", "--scheme", scheme, "--model",
                                     folder + "/stories260K", "--content", "model", "--seq-len", "16"});
    EXPECT_EQ(ran.code, std::optional<int>(0)) << ran.err;
    return ran.err;
  };
  EXPECT_NE(said("rope,pairing=interleaved").find("weights are stored for pairing=half"), std::string::npos);
  EXPECT_EQ(said("rope,pairing=half").find("weights are stored"), std::string::npos);
}

TEST_F(TrainedModelCommands, everyHeadHasALine) {
  const std::vector<std::string> question{"heads", "--model", folder + "/stories260K", "--tokens",
                                          folder + "/stories260K/tokens.npy"};
  const test::Ran ran = posiscope(question);
  ASSERT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  const std::vector<std::string> table = test::lines(ran.out);
  ASSERT_EQ(table.size(), 41u) << "5 layers of 8 heads";
  EXPECT_TRUE(table[0].ends_with("previous_score,duplicate_score,induction_score,evidence")) << table[0];
  for (const char* column : {",mean_distance_uniform,", ",local_mass_uniform,", ",col_top2_uniform,", ",profile_cv,"})
    EXPECT_NE(table[0].find(column), std::string::npos) << column;
  EXPECT_TRUE(table[40].ends_with(".") || table[40].ends_with(".\"")) << table[40];
  EXPECT_TRUE(table[40].starts_with("4,7,")) << table[40];
  std::vector<std::string> to_file = question;
  to_file.insert(to_file.end(), {"--local-mass", "0.99", "--out", out.file("h.csv")});
  ASSERT_EQ(posiscope(to_file).code, std::optional<int>(0));
  EXPECT_NE(out.read("h.csv"), ran.out) << "a threshold was moved";
}

TEST_F(TrainedModelCommands, turnsTheKnobOfARealModel) {
  std::vector<std::string> arguments{
      "attention", "--model", folder + "/stories260K", "--tokens", "1,403,407,261", "--layer", "0", "--head",
      "2",         "--out",   out.file("a.npy")};
  ASSERT_EQ(posiscope(arguments).code, std::optional<int>(0));
  arguments.back() = out.file("b.npy");
  arguments.insert(arguments.end(), {"--set", "rope.scaling=linear", "--set", "rope.factor=4"});
  ASSERT_EQ(posiscope(arguments).code, std::optional<int>(0));
  EXPECT_NE(*files::readNpy(out.file("a.npy"))->values, *files::readNpy(out.file("b.npy"))->values);
}

TEST_F(TrainedModelCommands, tokensSayHowManyTheyAre) {
  const auto said = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"compute", "loss_by_position", "--model", folder + "/stories260K"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return posiscope(arguments);
  };
  const std::string file = "@" + folder + "/stories260K/long_tokens.npy";
  EXPECT_NE(
      said({"--token-file", file}).err.find("the first 512 of 2048 token ids are taken; --seq-len 2048 takes all"),
      std::string::npos);
  EXPECT_EQ(said({"--token-file", file, "--seq-len", "64"}).err.find("token ids are taken"), std::string::npos);
  const test::Ran few = said({"--token-ids", "1,403,407,261"});
  EXPECT_EQ(few.code, std::optional<int>(0)) << few.err;
  EXPECT_EQ(test::lines(few.out).size(), 4U) << "a header and three losses" << few.out;
  const std::string none = out.write("none.npy", test::npyBytes("(0,)", {}));
  EXPECT_NE(said({"--token-file", "@" + none}).err.find("--token-file must hold at least one token id"),
            std::string::npos);
}

}  // namespace
}  // namespace posiscope

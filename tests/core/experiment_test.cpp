// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment.h"

#include "core/schemes/list.h"
#include "core/screen_number.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

TEST(ScreenNumber, groupsThousandsWithThinSpaces) {
  EXPECT_EQ(screenNumber(131072), "131\u202f072");
  EXPECT_EQ(screenNumber(8192), "8\u202f192");
  EXPECT_EQ(screenNumber(999), "999");
  EXPECT_EQ(screenNumber(1000000), "1\u202f000\u202f000");
  EXPECT_EQ(screenNumber(-1000), "\u22121\u202f000");
  EXPECT_EQ(screenNumber(0), "0");
  EXPECT_EQ(screenNumber(0.02), "0.02");
  EXPECT_EQ(screenNumber(-0.55), "\u22120.55");
  EXPECT_EQ(screenNumber(1e300), "1e+300");
}

TEST(StartExperiment, comparesLlamasRopeWithItsScalingYarnAndAlibi) {
  const Experiment e = startExperiment();
  ASSERT_TRUE(checkExperiment(e)) << checkExperiment(e).error().message.en;
  ASSERT_EQ(e.schemes.size(), 4u);
  EXPECT_EQ(displayName(e.schemes[0]).en, "RoPE");
  EXPECT_EQ(displayName(e.schemes[1]).en, "RoPE · Llama-3 scaling");
  EXPECT_EQ(displayName(e.schemes[1]).zh, "RoPE · Llama-3 缩放");
  EXPECT_EQ(displayName(e.schemes[2]).en, "RoPE · YaRN");
  EXPECT_EQ(displayName(e.schemes[3]).en, "ALiBi");
  EXPECT_EQ(displayValues(e.schemes[0]), (Text{"base 500\u202f000 · half-split", "底数 500\u202f000 · 前后半配对"}));
  EXPECT_EQ(displayValues(e.schemes[1]), (Text{"factor 8 · original 8\u202f192", "倍数 8 · 原训练长度 8\u202f192"}));
  EXPECT_EQ(displayValues(e.schemes[3]), Text{});
  for (int s = 0; s < 4; ++s) EXPECT_EQ(e.schemes[static_cast<std::size_t>(s)].colour, s);
  EXPECT_EQ(e, startExperiment());
}

TEST(StartExperiment, holdsOnlyValuesThatDifferFromTheDefaults) {
  for (const SchemeChoice& choice : startExperiment().schemes)
    for (const ParamSpec& spec : schemes::find(choice.id)->params)
      if (const auto found = choice.values.find(spec.key); found != choice.values.end()) {
        EXPECT_NE(found->second, spec.default_value) << choice.id << " " << spec.key;
      }
}

TEST(DisplayName, prefersTheLabel) {
  const SchemeChoice named{.id = "rope", .values = {}, .label = "mine", .colour = 0, .visible = true};
  EXPECT_EQ(displayName(named), (Text{"mine", "mine"}));
  const SchemeChoice unknown{.id = "later", .values = {}, .label = {}, .colour = 0, .visible = true};
  EXPECT_EQ(displayName(unknown), (Text{"later", "later"}));
  EXPECT_EQ(displayValues(unknown), Text{});
}

TEST(DisplayName, tellsNamesakesApart) {
  const auto choice = [](const char* id, ParamValues values, const char* label = "") {
    return SchemeChoice{.id = id, .values = std::move(values), .label = label, .colour = 0, .visible = true};
  };
  const std::vector<SchemeChoice> schemes{
      choice("rope", {}),
      choice("rope", {{"base", 500000.0}}),
      choice("rope", {{"base", 500000.0}, {"pairing", std::string("half")}}),
      choice("rope", {{"scaling", std::string("yarn")}, {"factor", 8.0}}),
      choice("alibi", {}),
      choice("learned", {}),
      choice("learned", {{"table", makeArray({1, 1}, {0}, "/a/wpe.npy")}}),
      choice("none", {}, "mine"),
      choice("t5_log", {}, "mine"),
  };
  const auto name = [&](std::size_t s) { return displayName(schemes[s], schemes); };
  EXPECT_EQ(name(0).en, "RoPE · base 10\u202f000");
  EXPECT_TRUE(name(0).zh.ends_with(" · 底数 10\u202f000")) << name(0).zh;
  EXPECT_TRUE(name(1).en.starts_with("RoPE · base 500\u202f000 · ")) << name(1).en;
  EXPECT_EQ(name(2).en, "RoPE · base 500\u202f000 · half-split");
  EXPECT_EQ(name(3), displayName(schemes[3]));  // its name is its own
  EXPECT_EQ(name(4), displayName(schemes[4]));
  EXPECT_TRUE(name(5).en.ends_with(" · no table")) << name(5).en;
  EXPECT_TRUE(name(6).en.ends_with(" · table wpe.npy")) << name(6).en;
  EXPECT_EQ(name(8).en, "mine · " + schemes::find("t5_log")->text.name.en);
  for (std::size_t a = 0; a < schemes.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      EXPECT_NE(name(a).en, name(b).en);
      EXPECT_NE(name(a).zh, name(b).zh);
    }
  // Of two equal ones neither has anything to tell.
  EXPECT_EQ(displayName(schemes[0], {schemes[0], schemes[0]}), displayName(schemes[0]));
}

TEST(DisplayValues, tellsOnlyWhatMatters) {
  SchemeChoice choice{
      .id = "rope", .values = {{"factor", 8.0}, {"base", 10000.0}}, .label = {}, .colour = 0, .visible = true};
  EXPECT_EQ(displayValues(choice), Text{});  // no scaling: its factor means nothing; the base is the default
  choice.values["scaling"] = std::string("linear");
  EXPECT_EQ(displayValues(choice).en, "factor 8");
  EXPECT_EQ(displayName(choice).zh, "RoPE · 线性插值");
  choice.id = "rope_decoupled";
  EXPECT_EQ(displayName(choice).zh, "解耦 RoPE（MLA） · 线性插值");
  EXPECT_EQ(displayName(choice).en, "Decoupled RoPE (MLA) · linear scaling");
  choice.id = "rope";
  const SchemeChoice learned{.id = "learned",
                             .values = {{"table", makeArray({1, 1}, {0}, "/a/wpe.npy")}, {"std", 0.1}},
                             .label = {},
                             .colour = 0,
                             .visible = true};
  EXPECT_EQ(displayValues(learned), (Text{"std 0.1 · table wpe.npy", "标准差 0.1 · 位置表 wpe.npy"}));
  const SchemeChoice t5{
      .id = "t5_log", .values = {{"bidirectional", false}}, .label = {}, .colour = 0, .visible = true};
  EXPECT_EQ(displayValues(t5), (Text{"bidirectional off", "双向：关"}));
}

TEST(CheckExperiment, findsTheFirstError) {
  const auto sentence = [](const Experiment& e) { return checkExperiment(e).error().message.en; };
  Experiment e = startExperiment();
  e.shape.seq_len_q = 1 << 20;
  EXPECT_EQ(sentence(e), "shape: seq_len_q must be at most seq_len 131072, got 1048576");
  e = startExperiment();
  e.shape.head_dim = 0;
  EXPECT_EQ(sentence(e), "shape: head_dim must be 1 to 16384, got 0");
  e = startExperiment();
  e.content.seed = -1;
  EXPECT_EQ(sentence(e).substr(0, 22), "content: seed must be ");
  e = startExperiment();
  e.mask.key_padding = {1};
  EXPECT_EQ(sentence(e), "mask: key_padding must have 131072 entries, got 1");
  e = startExperiment();
  e.schemes.resize(7, e.schemes[0]);
  EXPECT_EQ(sentence(e), "experiment: at most 6 schemes can be compared, got 7");
  e = startExperiment();
  e.schemes[2].id = "yarn";
  EXPECT_EQ(sentence(e), "experiment: there is no scheme 'yarn'");
  e = startExperiment();
  e.schemes[1].values["base"] = 0.0;
  EXPECT_EQ(sentence(e), "rope: base must be 1e-06 to 1e+12, got 0");
  e = startExperiment();
  e.train_length = -1;
  EXPECT_EQ(sentence(e), "experiment: train_length must be 0 to 100000000, got -1");
}

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The grammar: commands, help, wrong use.
#include "core/measures/list.h"
#include "core/schemes/list.h"
#include "tests/app/command_line.h"
#include "tests/support/temporary_folder.h"
#include "ui/state/presentation.h"
#include "ui/views/list.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace posiscope {
namespace {

using test::posiscope;

TEST(Cli, WithoutACommandTheWindowOpens) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("config.json", "{}");
  const test::Ran ran = posiscope({file, "--lang", "zh", "--theme", "dark", "--session", "s.json"});
  EXPECT_FALSE(ran.code.has_value());
  EXPECT_EQ(ran.window.files, std::vector<std::string>{file});
  EXPECT_EQ(ran.window.language, "zh");
  EXPECT_EQ(ran.window.theme, "dark");
  EXPECT_EQ(ran.window.session, "s.json");
  EXPECT_TRUE(ran.err.empty()) << ran.err;
  EXPECT_FALSE(posiscope({}).code.has_value());
}

TEST(Cli, WrongUseIsOneSentenceOnStderrAndExitCodeTwo) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"verfy"},
           {"--lang", "fr"},
           {"--theme", "pink"},
           {"--screenshot", "window.jpg"},
           {"--nonsense"},
           {"schemes", "rop"},
           {"schemes", "rope", "extra"},
           {"compute"},
           {"compute", "decay"},
           {"compute", "decay", "--scheme", "rope"},
           {"compute", "--seq-len", "8", "similarity", "--scheme", "rope"},
           {"compute", "similarity"},
           {"compute", "similarity", "--scheme", "rop"},
           {"compute", "similarity", "--scheme", "rope,bass=3"},
           {"compute", "similarity", "--scheme", "rope,base=0"},
           {"compute", "similarity", "--scheme", "rope,base"},
           {"compute", "similarity", "--scheme", "rope", "--seq-len", "-5"},
           {"compute", "similarity", "--scheme", "rope", "--seq-len", "many"},
           {"compute", "similarity", "--scheme", "rope", "--seq-len"},
           {"compute", "similarity", "--scheme", "rope", "--out", "picture.svg"},
           {"compute", "similarity", "--scheme", "rope", "--out", "no/such/folder/s.npy"},
           {"figure", "similarity", "--scheme", "rope", "--out", "no/such/folder/s.svg"},
           {"compute", "attention_weights", "--scheme", "rope", "--seq-len", "16777216"},
           {"compute", "position_table", "--scheme", "none"},
           {"compute", "position_table", "--scheme", "learned,table=@gone.npy"},
           {"compute", "attention_weights", "--scheme", "rope", "--mask", "casual"},
           {"compute", "attention_weights", "--scheme", "rope", "--mask", "window:-1"},
           {"compute", "attention_weights", "--scheme", "rope", "--mask", "shifted:0"},
           {"compute", "attention_weights", "--scheme", "rope", "--mask", "shift:2"},
           {"compute", "attention_weights", "--scheme", "rope", "--mask", "shifted:4,shift:4"},
           {"compute", "attention_weights", "--scheme", "rope", "--seq-len", "8", "--key-padding", "end:9"},
           {"compute", "bias_map"},
           {"compute", "attention_weights", "--scheme", "rope", "--mask", "causal,shifted:8"},
           {"compute", "attention_weights", "--scheme", "rope", "--key-padding", "end:x"},
           {"compute", "attention_weights", "--scheme", "rope", "--key-padding", "end:2", "--query-padding", "start:2"},
           {"compute", "attention_weights", "--scheme", "rope", "--mask", "causal,window:16777217"},
           {"compute", "attention_weights", "--scheme", "rope", "--train-length", "2.5"},
           {"compute", "attention_weights", "--scheme", "rope", "--train-length", "1e9"},
           {"compute", "attention_weights", "--scheme", "rope", "--seq-len", "4", "--key-padding", "1,2,0,1"},
           {"compute", "attention_weights", "--scheme", "rope", "--seq-len", "4", "--key-padding", "1,1"},
           {"compute", "attention_weights", "--scheme", "rope", "--q", "q.npy"},
           {"compute", "attention_weights", "--scheme", "rope", "--content", "dreams"},
           {"compute", "relative_decay", "--scheme", "rope", "--curves", "all_of_them"},
           {"compute", "similarity", "--model", "gpt-22"},
           {"compute", "similarity", "--session", "gone.json"},
           {"figure", "similarity", "--session", "gone.json", "--out", "f.png"},
           {"compute", "similarity", "--scheme", "rope", "--seq-length", "8"},
           {"inspect"},
           {"inspect", "gone/config.json"},
           {"verify"},
           {"verify", "gone.json"},
           {"train", "gone.json"},
           {"train", "gone.json", "--out", "out"},
           {"sweep", "gone.json", "--out", "out"},
           {"sweep", "gone.json", "--out", "out", "--shard", "0/3"},
           {"merge", "--out", "out"},
           {"merge", "gone", "--out", "out"},
           {"bench", "--size"},
           {"figure", "similarty"},
           {"figure", "similarity", "--start", "--session", "s.json", "--out", "f.png"},
           {"--threads", "0", "schemes"},
           {"--screenshot", "window.png", "schemes"},
           {"schemes", "--threads", "few"}}) {
    const test::Ran ran = posiscope(arguments);
    std::string all;
    for (const std::string& a : arguments) all += " " + a;
    EXPECT_EQ(ran.code, std::optional<int>(2)) << all;
    EXPECT_EQ(test::lines(ran.err).size(), 1u) << all << ": " << ran.err;
    EXPECT_TRUE(ran.err.starts_with("posiscope: ")) << all << ": " << ran.err;
    EXPECT_TRUE(ran.out.empty()) << all << ": " << ran.out;
  }
}

TEST(Cli, NearMatchesAreNamed) {
  EXPECT_NE(posiscope({"compute", "similarity", "--scheme", "rop"}).err.find("did you mean rope or "),
            std::string::npos);
  EXPECT_NE(posiscope({"compute", "similarity", "--scheme", "sinusodal"}).err.find("did you mean sinusoidal?"),
            std::string::npos);
  EXPECT_NE(posiscope({"compute", "decay"}).err.find("did you mean relative_decay?"), std::string::npos);
  EXPECT_NE(posiscope({"verfy"}).err.find("did you mean verify?"), std::string::npos);
  EXPECT_EQ(posiscope({"compute", "similarity", "--scheme", "zzzzzz"}).err.find("did you mean"), std::string::npos);
  EXPECT_NE(posiscope({"compute", "similarity", "--scheme", "rpoe"}).err.find("did you mean rope?"), std::string::npos);
  EXPECT_NE(posiscope({"schemes", "rpoe"}).err.find("did you mean rope?"), std::string::npos);
  EXPECT_NE(posiscope({"compute", "similarity", "--scheme", "rope,bsae=1"}).err.find("did you mean base?"),
            std::string::npos);
  EXPECT_NE(posiscope({"compute", "smilarity"}).err.find("did you mean similarity?"), std::string::npos);
  EXPECT_NE(posiscope({"figure", "wvaes"}).err.find("did you mean waves?"), std::string::npos);
  EXPECT_NE(posiscope({"compute", "similarity", "--scheme", "rope", "--seq-length", "8"})
                .err.find("there is no option '--seq-length'; did you mean --seq-len?"),
            std::string::npos);
  EXPECT_NE(posiscope({"--them=dark"}).err.find("there is no option '--them'; did you mean --theme?"),
            std::string::npos);
}

TEST(Cli, HelpSaysWhichFilesAnArrayCanBeReadFrom) {
  const std::string help = posiscope({"compute", "attention_weights", "--help"}).out;
  EXPECT_NE(help.find("@FILE.npy or @FILE.safetensors#TENSOR"), std::string::npos) << help;
  EXPECT_NE(posiscope({"schemes", "learned"}).out.find("@FILE.safetensors#TENSOR"), std::string::npos);
  const test::Ran plain = posiscope({"compute", "attention_weights", "--scheme", "rope", "--q", "q.npy"});
  EXPECT_NE(plain.err.find("--q must be @FILE.npy, or @FILE.safetensors#TENSOR, got 'q.npy'"), std::string::npos)
      << plain.err;
}

TEST(Cli, EveryCommandHasHelpWithAnExample) {
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{{},
                                                                                       {"schemes"},
                                                                                       {"presets"},
                                                                                       {"views"},
                                                                                       {"compute"},
                                                                                       {"figure"},
                                                                                       {"inspect"},
                                                                                       {"verify"},
                                                                                       {"attention"},
                                                                                       {"heads"},
                                                                                       {"loss-by-position"},
                                                                                       {"train"},
                                                                                       {"sweep"},
                                                                                       {"merge"},
                                                                                       {"bench"}}) {
    std::vector<std::string> arguments = command;
    arguments.push_back("--help");
    const test::Ran ran = posiscope(arguments);
    EXPECT_EQ(ran.code, std::optional<int>(0));
    EXPECT_NE(ran.out.find("Example"), std::string::npos) << ran.out;
  }
}

TEST(Cli, HelpOfAMeasureTellsItsArrayAndOptions) {
  for (const Measure& m : measures::catalogue()) {
    const test::Ran ran = posiscope({"compute", m.id, "--help"});
    EXPECT_EQ(ran.code, std::optional<int>(0)) << m.id;
    EXPECT_NE(ran.out.find(m.shape_help), std::string::npos) << m.id;
    for (const char* flag :
         {"--scheme", "--seq-len", "--first-position", "--content", "--seed", "--w-q", "--mask", "--key-padding"})
      EXPECT_NE(ran.out.find(flag), std::string::npos) << m.id << " " << flag;
    for (const ParamSpec& option : m.options) {
      std::string flag = "--" + option.key;
      std::ranges::replace(flag, '_', '-');
      EXPECT_NE(ran.out.find(flag), std::string::npos) << m.id << " " << flag;
    }
  }
}

TEST(Cli, SchemesListsTheCatalogue) {
  const std::string text = posiscope({"schemes"}).out;
  for (const Scheme& s : schemes::catalogue()) EXPECT_NE(text.find(s.id()), std::string::npos) << s.id();
  const std::vector<std::string> lines = test::lines(text);
  ASSERT_EQ(lines.size(), schemes::catalogue().size());
  const auto column = [](const std::string& line) { return line.find_first_not_of(' ', line.find(' ')); };
  for (const std::string& line : lines) EXPECT_EQ(column(line), column(lines.front())) << line;
  const std::string one = posiscope({"schemes", "rope"}).out;
  EXPECT_NE(one.find("rotary_share"), std::string::npos);
  EXPECT_NE(one.find("default 10000"), std::string::npos);
}

TEST(Cli, SchemesAsJsonHaveTheirTextsInBothLanguages) {
  const auto list = nlohmann::json::parse(posiscope({"schemes", "--json"}).out);
  ASSERT_EQ(list.size(), schemes::catalogue().size());
  std::set<std::string> traps;
  for (const nlohmann::json& scheme : list)
    for (const char* part : {"formula", "how_to_read", "traps", "known_users", "reference"}) {
      const nlohmann::json& text = scheme.at("document").at(part);
      const std::string en = text.at("en"), zh = text.at("zh");
      EXPECT_FALSE(en.empty() || zh.empty()) << scheme.at("id") << " " << part;
      EXPECT_EQ(en.find("## "), std::string::npos) << scheme.at("id") << " " << part;
      if (part == std::string("traps")) traps.insert(en + zh);
    }
  EXPECT_EQ(traps.size(), list.size()) << "each has its own";
  const auto rope =
      std::ranges::find(list, "rope", [](const auto& s) { return s.at("id").template get<std::string>(); });
  ASSERT_NE(rope, list.end());
  EXPECT_NE(rope->at("document").at("traps").at("zh").get<std::string>().find("配对"), std::string::npos);
}

TEST(Cli, PresetsListSourcesAndNotes) {
  const auto list = nlohmann::json::parse(posiscope({"presets", "--json"}).out);
  const auto phi =
      std::ranges::find(list, "phi-3.5-mini", [](const auto& p) { return p.at("id").template get<std::string>(); });
  ASSERT_NE(phi, list.end());
  EXPECT_NE(phi->at("note").at("en").get<std::string>().find("48 factors"), std::string::npos);
  const std::vector<std::string> lines = test::lines(posiscope({"presets"}).out);
  ASSERT_EQ(lines.size(), list.size());
  const auto column = [](const std::string& line) { return line.find_first_not_of(' ', line.find(' ')); };
  for (const std::string& line : lines) EXPECT_EQ(column(line), column(lines.front())) << line;
}

TEST(Cli, WhatIsMissingIsNamedWithWhatItMeans) {
  EXPECT_NE(posiscope({"inspect"}).err.find("path is required: Model folder, config.json"), std::string::npos);
  EXPECT_NE(posiscope({"verify"}).err.find("manifests is required: manifest.json of each set"), std::string::npos);
  const test::Ran figure = posiscope({"figure", "waves"});
  EXPECT_EQ(figure.code, std::optional<int>(2));
  EXPECT_NE(figure.err.find("--out is required: File to draw"), std::string::npos) << figure.err;
}

TEST(Cli, ViewsAreListedInTheOrderOfTheCatalogue) {
  const std::vector<std::string> lines = test::lines(posiscope({"views"}).out);
  const auto list = nlohmann::json::parse(posiscope({"views", "--json"}).out);
  ASSERT_EQ(lines.size(), ui::viewCatalogue().size());
  ASSERT_EQ(list.size(), lines.size());
  const auto column = [](const std::string& line) { return line.find_first_not_of(' ', line.find(' ')); };
  for (std::size_t v = 0; v < lines.size(); ++v) {
    const ui::ViewKind& view = ui::viewCatalogue()[v];
    EXPECT_EQ(column(lines[v]), column(lines.front())) << lines[v];
    EXPECT_TRUE(lines[v].starts_with(view.id + " ")) << lines[v];
    EXPECT_TRUE(lines[v].ends_with(" " + view.title.en)) << lines[v];
    EXPECT_EQ(list[v]["id"], view.id);
    EXPECT_EQ(list[v]["title"]["zh"], view.title.zh);
    EXPECT_EQ(list[v]["measure"], view.measure);
  }
}

TEST(Cli, TheViewsOfTheStartAreThoseTheWindowOpensWith) {
  const std::vector<std::string> lines = test::lines(posiscope({"views", "--start"}).out);
  const auto list = nlohmann::json::parse(posiscope({"views", "--start", "--json"}).out);
  const ui::Presentation start = ui::startPresentation();
  ASSERT_EQ(lines.size(), static_cast<std::size_t>(start.tile_count));
  ASSERT_EQ(list.size(), lines.size());
  EXPECT_LT(lines.size(), ui::viewCatalogue().size());
  for (std::size_t t = 0; t < lines.size(); ++t) {
    EXPECT_TRUE(lines[t].starts_with(start.tiles[t].view + " ")) << lines[t];
    EXPECT_TRUE(lines[t].ends_with(" " + ui::findView(start.tiles[t].view)->title.en)) << lines[t];
    EXPECT_EQ(list[t]["id"], start.tiles[t].view);
  }
}

TEST(Cli, SchemesAsJsonAreComplete) {
  const auto list = nlohmann::json::parse(posiscope({"schemes", "--json"}).out);
  ASSERT_EQ(list.size(), schemes::catalogue().size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Scheme& s = schemes::catalogue()[i];
    EXPECT_EQ(list[i]["id"], s.id());
    EXPECT_EQ(list[i]["summary"]["zh"], s.text.summary.zh);
    ASSERT_EQ(list[i]["params"].size(), s.params.size());
    for (std::size_t p = 0; p < s.params.size(); ++p) EXPECT_EQ(list[i]["params"][p]["key"], s.params[p].key);
  }
}

TEST(Cli, PresetsCanBeListed) {
  EXPECT_NE(posiscope({"presets"}).out.find("llama-3.1-8b"), std::string::npos);
  EXPECT_GT(nlohmann::json::parse(posiscope({"presets", "--json"}).out).size(), 6u);
}

TEST(Cli, VersionIsPrinted) {
  const test::Ran ran = posiscope({"--version"});
  EXPECT_EQ(ran.code, std::optional<int>(0));
  EXPECT_TRUE(ran.out.starts_with("posiscope ")) << ran.out;
}

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The help: what it promises must run.
#include "core/files/reader.h"
#include "core/measures/list.h"
#include "tests/app/command_line.h"
#include "tests/support/shared.h"
#include "tests/support/small_model.h"
#include "tests/support/temporary_folder.h"
#include "ui/views/list.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <sstream>

namespace posiscope {
namespace {

using test::posiscope;

TEST(Help, HelpHasNoSignsOfItsLibrary) {
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"compute", "--help"}, {"figure", "--help"}, {"compute", "norm_ratio", "--help"}}) {
    const std::string text = posiscope(command).out;
    EXPECT_EQ(text.find("[]"), std::string::npos) << text;
    EXPECT_EQ(text.find("{false}"), std::string::npos) << text;
  }
  EXPECT_NE(posiscope({"compute", "norm_ratio", "--help"}).out.find("--no-scale-words"), std::string::npos);
}

TEST(Help, ColumnsAreCountedInLettersNotInBytes) {
  const auto columnOf = [](const std::string& text, const std::string& option, const std::string& meaning) {
    for (const std::string& line : test::lines(text))
      if (line.starts_with("  " + option))
        return std::ranges::count_if(line.substr(0, line.find(meaning)), [](char c) { return (c & 0xC0) != 0x80; });
    return std::ptrdiff_t{-1};
  };
  const std::string help = posiscope({"compute", "similarity", "--help"}).out;
  const auto column = columnOf(help, "--model", "Shape and scheme");
  EXPECT_GT(column, 0);
  EXPECT_EQ(columnOf(help, "--scheme ID[,key=value…]", "A scheme and"), column);
}

TEST(Help, ADefaultThatStandsForSomethingSaysWhat) {
  const auto helpOf = [](const std::vector<std::string>& command) {
    std::string help;  // without the spaces and breaks of its columns
    std::ranges::copy_if(posiscope(command).out, std::back_inserter(help),
                         [](unsigned char c) { return std::isspace(c) == 0; });
    return help;
  };
  EXPECT_NE(helpOf({"heads", "--help"}).find("default0(asixteenthofthekeys)"), std::string::npos);
  EXPECT_NE(helpOf({"compute", "attention_weights", "--help"}).find("default:all"), std::string::npos);
  const std::string scheme = helpOf({"schemes", "sinusoidal_2d"});
  EXPECT_NE(scheme.find("singletensor);default:allpixels"), std::string::npos) << scheme;
  EXPECT_NE(scheme.find("default10000"), std::string::npos) << scheme;
}

TEST(Help, APrefixIsNotCalledCausalBesideOtherRules) {
  std::string help;  // without the spaces and breaks of its columns
  std::ranges::copy_if(posiscope({"compute", "attention_weights", "--help"}).out, std::back_inserter(help),
                       [](unsigned char c) { return std::isspace(c) == 0; });
  EXPECT_NE(help.find("alsowhereanotherrulehidesthem;aloneitmakestheotherscausal"), std::string::npos);
}

/// The words of every line of the help that starts with the program's name.
std::vector<std::vector<std::string>> examplesIn(const std::string& help) {
  std::vector<std::vector<std::string>> examples;
  for (const std::string& line : test::lines(help)) {
    if (!line.starts_with("  posiscope")) continue;
    std::istringstream stream(line.substr(0, line.find("   ", 2)));  // what follows is its meaning
    std::string word;
    stream >> word;
    std::vector<std::string>& words = examples.emplace_back();
    while (stream >> word) words.push_back(word);
  }
  return examples;
}

TEST(Help, EveryExampleOfTheHelpRuns) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("model"));
  folder.write("model/config.json", test::smallLlamaConfig());
  folder.write("model/model.safetensors", test::smallModel(test::smallLlama()));
  ASSERT_TRUE(files::writeNpy(folder.file("tokens.npy"), makeArray({5}, {1, 4, 2, 7, 1})));
  folder.write("induction.json", R"({"model": {"d_model": 16, "num_layers": 1}, "task": {"name": "induction",
    "length": 16, "symbols": 16, "low": 3, "high": 5}, "schedule": {"steps": 2, "evaluate_count": 2}})");
  folder.write("spec.json", R"({"schemes": ["rope", "alibi"], "measures": ["relative_decay"],
    "shape": {"seq_len": 8, "head_dim": 8}, "grid": {"content.seed": [1, 2]}})");
  for (const char* part : {"1", "2"})
    ASSERT_EQ(posiscope({"sweep", folder.file("spec.json"), "--out", folder.file(std::string("part") + part), "--shard",
                         std::string(part) + "/3"})
                  .code,
              0);
  std::filesystem::create_directories(folder.file("tests"));
  std::filesystem::create_directory_symlink(std::filesystem::absolute(test::dataPath("")), folder.file("tests/data"));
  std::vector<std::vector<std::string>> commands{
      {},          {"schemes"}, {"presets"},   {"views"}, {"compute"},          {"figure"},
      {"inspect"}, {"verify"},  {"attention"}, {"heads"}, {"loss-by-position"}, {"train"},
      {"sweep"},   {"merge"},   {"bench"}};
  for (const Measure& m : measures::catalogue()) commands.push_back({"compute", m.id});
  for (const ui::ViewKind& view : ui::viewCatalogue()) commands.push_back({"figure", view.id});
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.file(""));
  for (std::vector<std::string> command : commands) {
    command.push_back("--help");
    const auto examples = examplesIn(posiscope(command).out);
    EXPECT_FALSE(examples.empty()) << command.front();
    for (const std::vector<std::string>& example : examples) {
      std::string all;
      for (const std::string& word : example) all += " " + word;
      const test::Ran ran = posiscope(example);
      EXPECT_EQ(ran.code.value_or(0), 0) << all << ": " << ran.err;  // without a code the window opens
    }
  }
  std::filesystem::current_path(before);
}

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/command_line.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace posiscope {
namespace {

/// What belongs to the window is not silently forgotten when it stands before a command.
TEST(WindowFlags, beforeACommandAreRefusedWithASentence) {
  const test::TemporaryFolder folder;
  folder.write("s.json", R"({"posiscope_session": 1, "schemes": [{"id": "rope"}]})");
  const std::string out = folder.file("f.png");
  for (const std::vector<std::string>& flag : std::vector<std::vector<std::string>>{
           {"--theme", "dark"}, {"--lang", "zh"}, {"--session", folder.file("s.json")}, {folder.file("s.json")}}) {
    std::vector<std::string> arguments = flag;
    for (const char* word : {"figure", "waves", "--scheme", "rope", "--out"}) arguments.emplace_back(word);
    arguments.push_back(out);
    const test::Ran ran = test::posiscope(arguments);
    EXPECT_EQ(ran.code, std::optional<int>(2)) << flag.front();
    EXPECT_NE(ran.err.find("before a command"), std::string::npos) << flag.front() << ": " << ran.err;
    EXPECT_NE(ran.err.find("'figure'"), std::string::npos) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(out)) << flag.front();
  }
}

/// Any file that is there opens; what is missing beside it the window says.
TEST(WindowFlags, aMissingFileAmongOthersDoesNotKeepTheWindowAway) {
  const test::TemporaryFolder folder;
  folder.write("s.json", R"({"posiscope_session": 1, "schemes": [{"id": "rope"}]})");
  const std::string there = folder.file("s.json"), gone = folder.file("gone.json");
  const test::Ran both = test::posiscope({gone, there});
  EXPECT_NE(both.code, std::optional<int>(2)) << both.err;
  EXPECT_EQ(both.window.files, (std::vector<std::string>{gone, there}));
  EXPECT_EQ(test::posiscope({gone}).code, std::optional<int>(2));
  EXPECT_EQ(test::posiscope({"figurr", there}).code, std::optional<int>(2)) << "a slip of the pen";
}

}  // namespace
}  // namespace posiscope

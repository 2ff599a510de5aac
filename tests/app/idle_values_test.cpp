// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/command_line.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

test::Ran compute(const std::string& scheme, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"compute", "spectrum", "--scheme", scheme, "--seq-len", "16"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return test::posiscope(arguments);
}

TEST(IdleValues, AreNamedOnStderrAndDoNoHarm) {
  const test::Ran ran = compute("rope,scaling=dynamic,factor=4,original_length=512");
  EXPECT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  EXPECT_NE(ran.err.find("rope: original_length has no effect with scaling=dynamic\n"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find("factor"), std::string::npos) << ran.err;
  EXPECT_EQ(compute("rope,scaling=dynamic,factor=4,max_length=512").err.find("no effect"), std::string::npos);
}

TEST(IdleValues, OfTheContentAreNamedToo) {
  const test::Ran ran = compute("rope", {"--content", "sentence", "--repeat-after", "4"});
  EXPECT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  EXPECT_NE(ran.err.find("content: repeat_after has no effect with source=tokens\n"), std::string::npos) << ran.err;
}

TEST(MaskFlag, ShiftedWindowsWithoutAGridAreOfTheLine) {
  const auto said = [](const std::vector<std::string>& more) {
    const test::Ran ran = compute("rope", more);
    EXPECT_EQ(ran.code, std::optional<int>(0)) << ran.err;
    return ran.err.find("along the line of tokens") != std::string::npos;
  };
  EXPECT_TRUE(said({"--mask", "shifted:2,shift:1"}));
  EXPECT_FALSE(said({"--mask", "shifted:2,shift:1", "--grid-height", "4", "--grid-width", "4"}));
  EXPECT_FALSE(said({"--mask", "causal"}));
}

TEST(ContentFlag, ASentenceIsAnotherWordForTokens) {
  const test::Ran wrong = compute("rope", {"--content", "sentenc"});
  EXPECT_NE(wrong.code, std::optional<int>(0));
  EXPECT_EQ(compute("rope", {"--content", "sentence"}).code, std::optional<int>(0));
}

}  // namespace
}  // namespace posiscope

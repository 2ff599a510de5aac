// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/token_text.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

using Tokens = std::vector<std::string>;

TEST(TokenText, WordsStandBetweenWhiteSpace) {
  EXPECT_EQ(splitTokens("  the cat\tsat,\n then "), (Tokens{"the", "cat", "sat,", "then"}));
  EXPECT_EQ(splitTokens(""), Tokens{});
  EXPECT_EQ(splitTokens(" \t\n"), Tokens{});
}

TEST(TokenText, EachChineseCharacterIsAToken) {
  EXPECT_EQ(splitTokens("猫坐下了。"), (Tokens{"猫", "坐", "下", "了", "。"}));
  EXPECT_EQ(splitTokens("用 RoPE编码　𠮷"), (Tokens{"用", "RoPE", "编", "码", "𠮷"}));
}

TEST(TokenText, AccentsAndEmojiStayInTheirWord) {
  EXPECT_EQ(splitTokens("naïve café 🙂ok"), (Tokens{"naïve", "café", "🙂ok"}));
}

TEST(TokenText, AByteOrderMarkIsTakenOffOnce) {
  EXPECT_EQ(withoutMark("\xEF\xBB\xBF"
                        "1 2"),
            "1 2");
  EXPECT_EQ(withoutMark("\xEF\xBB"), "\xEF\xBB");
  EXPECT_EQ(withoutMark("1"), "1");
}

TEST(TokenText, BrokenUtf8IsKeptAndEndsNothing) {
  EXPECT_EQ(splitTokens("a\xFF"
                        "b \xE7\x8C"),
            (Tokens{"a\xFF"
                    "b",
                    "\xE7\x8C"}));
}

}  // namespace
}  // namespace posiscope

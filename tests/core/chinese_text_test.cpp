// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chinese_text.h"

#include "core/experiment.h"
#include "core/files/refusal.h"
#include "core/schemes/list.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

TEST(ChineseText, spacesStandOnlyBetweenChineseAndLatin) {
  EXPECT_EQ(joinChinese("f：", "内容", " 必须是 ", "对象", "，得到 ", "“x”"), "f：内容必须是对象，得到“x”");
  EXPECT_EQ(joinChinese("f：", "seq_len", " 必须是 ", 8, "，得到 ", "数字"), "f：seq_len 必须是 8，得到数字");
  EXPECT_EQ(joinChinese("长度", " × ", "宽度"), "长度 × 宽度");
  EXPECT_EQ(joinChinese("a ", " b", "", "我的 文件"), "a  b我的 文件") << "what stands inside a piece is not touched";
}

TEST(ChineseText, aRefusedFileIsToldWithoutStraySpaces) {
  const tl::unexpected<Error> refused = files::refuse(ErrorCode::file_format, "s.json", {"the content", "内容"},
                                                      {"an object", "对象"}, Text{"text", "文本"});
  EXPECT_EQ(refused.value().message.zh, "s.json：内容必须是对象，得到文本");
}

/// A space with a Chinese character on both sides.
bool hasStraySpace(const std::string& text) {
  for (std::size_t at = text.find(' '); at != std::string::npos; at = text.find(' ', at + 1))
    if (joinChinese(text.substr(0, at), text.substr(at)) != text) return true;
  return false;
}

TEST(ChineseText, noSchemeAndNoMixtureOfItsChoicesIsNamedWithStraySpaces) {
  ASSERT_TRUE(hasStraySpace("感知 缩放"));
  for (const Scheme& scheme : schemes::catalogue())
    for (const ParamSpec& spec : scheme.params)
      for (const Choice& choice : spec.choices) {
        const SchemeChoice chosen{.id = scheme.id(), .values = {{spec.key, choice.key}}, .label = {}, .visible = true};
        EXPECT_FALSE(hasStraySpace(displayName(chosen).zh)) << displayName(chosen).zh;
        EXPECT_FALSE(hasStraySpace(displayValues(chosen).zh)) << displayValues(chosen).zh;
      }
}

}  // namespace
}  // namespace posiscope

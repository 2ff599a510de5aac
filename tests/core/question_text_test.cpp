// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/question_text.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

TEST(QuestionText, namesWhatCountsALineForEachPart) {
  Question question;
  question.measure = "attention_weights";
  question.options["tokens"] = 8.0;
  question.scheme = {.id = "rope", .values = {{"base", 500000.0}}, .label = "mine", .visible = true};
  question.shape.seq_len = 77;
  question.mask.causal = true;
  question.content.seed = 5;
  question.train_length = 4096;
  const std::string text = questionComment(question);
  EXPECT_TRUE(
      text.starts_with("# scheme: rope,base=500000\n# measure: attention_weights,tokens=8\n# shape: seq_len=77,"))
      << text;
  EXPECT_NE(text.find("\n# mask: mask=causal,"), std::string::npos) << text;
  EXPECT_NE(text.find("\n# content: source=random,seed=5,"), std::string::npos) << text;
  EXPECT_EQ(text.find("repeat_after"), std::string::npos) << "it does not count here: " << text;
  EXPECT_TRUE(text.ends_with("\n# train_length: 4096\n")) << text;
}

TEST(QuestionText, staysInItsLinesWhateverAFileIsCalled) {
  Question question;
  question.scheme = {.id = "rope", .values = {{"note", std::string("a\n1,2")}}, .label = {}, .visible = true};
  const std::string text = questionComment(question);
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) EXPECT_EQ(text[at], '#') << text;
}

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/transformers/tokens.h"
#include "core/transformers/vocabulary.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/zip_bytes.h"

#include <gtest/gtest.h>

namespace posiscope::transformers {
namespace {

using Ids = std::vector<std::int64_t>;
using test::npyBytes;

TEST(Tokens, areTypedWithBlanksCommasOrBrackets) {
  for (const char* text : {"1 403 407", "1,403,407", "[1, 403, 407]", " 1;403\n407\n"})
    EXPECT_EQ(parseIds(text, "--tokens"), Expected<Ids>(Ids{1, 403, 407})) << text;
  EXPECT_EQ(parseIds("1 two", "--tokens").error().message.en,
            "--tokens: ids must be whole numbers, got 'two' at position 1");
  EXPECT_EQ(parseIds("1.5", "--tokens").error().code, ErrorCode::bad_value);
  EXPECT_EQ(parseIds("99999999999999999999", "--tokens").error().code, ErrorCode::bad_value);
  EXPECT_EQ(parseIds(" , ", "--tokens").error().code, ErrorCode::bad_value);
}

TEST(Tokens, comeFromFiles) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(readIds(folder.write("a.npy", npyBytes("(3,)", {1, 2, 3}))), Expected<Ids>(Ids{1, 2, 3}));
  EXPECT_EQ(readIds(folder.write("one.npy", npyBytes("(1, 2)", {4, 5}))), Expected<Ids>(Ids{4, 5}));
  const std::string two = folder.write("two.npy", npyBytes("(2, 2)", {4, 5, 6, 7}));
  EXPECT_EQ(readIds(two, 1), Expected<Ids>(Ids{6, 7}));
  EXPECT_EQ(readIds(two).error().message.en,
            two + " holds 2 texts: say which one is meant, from 0 to 1 (on the command line: --row)");
  EXPECT_FALSE(readIds(two).error().message.zh.empty());
  EXPECT_EQ(readIds(two, 2).error().code, ErrorCode::out_of_range);
  EXPECT_EQ(readIds(folder.write("half.npy", npyBytes("(2,)", {1, 1.5}))).error().code, ErrorCode::bad_value);
  EXPECT_EQ(readIds(folder.write("nan.npy", npyBytes("(1,)", {0.0 / 0.0}))).error().code, ErrorCode::bad_value);
  EXPECT_EQ(readIds(folder.write("cube.npy", npyBytes("(1, 1, 1)", {1}))).error().code, ErrorCode::bad_shape);
  const Error none = readIds(folder.write("none.npy", npyBytes("(0,)", {}))).error();
  EXPECT_EQ(none.code, ErrorCode::bad_shape);
  EXPECT_NE(none.message.en.find("at least one id must be given, got an empty array"), std::string::npos);
  EXPECT_EQ(readIds(folder.write("a.txt", "7 8\n9")), Expected<Ids>(Ids{7, 8, 9}));
  EXPECT_EQ(readIds(folder.file("a.txt"), 0), Expected<Ids>(Ids{7, 8, 9}));
  EXPECT_EQ(readIds(folder.file("a.txt"), 1).error().message.en,
            folder.file("a.txt") + ": there is one text only, row 0; got row 1");
  EXPECT_EQ(readIds(folder.write("mark.txt",
                                 "\xEF\xBB\xBF"
                                 "7 8")),
            Expected<Ids>(Ids{7, 8}));
  EXPECT_EQ(readIds(folder.file("gone.npy")).error().code, ErrorCode::file_missing);
}

TEST(Vocabularies, areLinesOrTheVocabularyOfATokenizer) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(readVocabulary(folder.write("vocab.txt", "[PAD]\n位置\r\n\nlast")),
            Expected<Vocabulary>(Vocabulary{"[PAD]", "位置", "", "last"}));
  EXPECT_EQ(vocabularyBeside(folder.path())->size(), 4u);
  EXPECT_EQ(readVocabulary(folder.write("mark.txt", "\xEF\xBB\xBF[PAD]")), Expected<Vocabulary>(Vocabulary{"[PAD]"}));
  const std::string tokenizer = folder.write(
      "tokenizer.json",
      R"({"model":{"type":"BPE","vocab":{"b":1,"Ġa":0}},"added_tokens":[{"id":3,"content":"<s>","special":true}]})");
  EXPECT_EQ(readVocabulary(tokenizer), Expected<Vocabulary>(Vocabulary{"Ġa", "b", "", "<s>"}));
  EXPECT_EQ(vocabularyBeside(folder.path())->size(), 4u);
  EXPECT_EQ(labelsOf(*vocabularyBeside(folder.path()), Ids{3, 2, 0, 77}),
            (std::vector<std::string>{"<s>", "2", "Ġa", "77"}));
  EXPECT_EQ(readVocabulary(folder.write("unigram.json", R"({"model":{"vocab":[["<unk>",0.0],["▁a",-1.5]]}})")),
            Expected<Vocabulary>(Vocabulary{"<unk>", "▁a"}));
  EXPECT_EQ(readVocabulary(folder.write("vocab.json", R"({"x":1,"y":0})")), Expected<Vocabulary>(Vocabulary{"y", "x"}));
  const test::TemporaryFolder empty;
  EXPECT_EQ(vocabularyBeside(empty.path()), Expected<Vocabulary>(Vocabulary{}));
}

TEST(Vocabularies, thatAreDamagedAreRefused) {
  const test::TemporaryFolder folder;
  for (const char* text : {"[1", "7", R"({"a":-1})", R"({"a":1e9})", R"({"a":99999999999})", R"({"a":"b"})",
                           R"({"model":{"vocab":[[1,2]]}})", R"({"model":{"vocab":3}})",
                           R"({"model":{"vocab":{}},"added_tokens":[{"id":1}]})"}) {
    const auto found = readVocabulary(folder.write("v.json", text));
    ASSERT_FALSE(found) << text;
    EXPECT_EQ(found.error().code, ErrorCode::file_format) << text;
    EXPECT_FALSE(found.error().message.zh.empty());
  }
  EXPECT_EQ(readVocabulary(folder.write("v.txt", "\xFF\xFE")).error().code, ErrorCode::file_format);
}

TEST(Vocabularies, thatAreDamagedBesideAModelAreToldOf) {
  const test::TemporaryFolder folder;
  folder.write("config.json", "{}");
  EXPECT_TRUE(vocabularyNotes(folder.path()).empty()) << "there is none";
  folder.write("vocab.txt", "caf\xE9\n");  // Latin-1
  for (const std::string& path : {folder.path(), folder.file("config.json")}) {
    const std::vector<Text> notes = vocabularyNotes(path);
    ASSERT_EQ(notes.size(), 1u) << path;
    EXPECT_EQ(notes[0].en,
              folder.file("vocab.txt") +
                  ": the content must be text in UTF-8, got other bytes; the tokens are written as their ids");
    EXPECT_TRUE(notes[0].zh.ends_with("；词元以编号表示")) << notes[0].zh;
  }
  for (const char* text : {R"({"model":)", R"({"model":{"vocab":{"a":-1}}})", R"({"a":1099511627776})"}) {
    folder.write("tokenizer.json", text);
    EXPECT_EQ(vocabularyNotes(folder.path()).size(), 1u) << text;
  }
  folder.write("tokenizer.json", R"({"model":{"vocab":{"a":0}}})");
  EXPECT_TRUE(vocabularyNotes(folder.path()).empty());
}

}  // namespace
}  // namespace posiscope::transformers

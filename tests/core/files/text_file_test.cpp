// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/json_text.h"
#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>
#include <csignal>
#include <filesystem>

namespace posiscope::files {
namespace {

using std::string_literals::operator""s;
using test::TemporaryFolder;

TEST(ReadText, refusesMoreThanItsLimit) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.json", "12345");
  EXPECT_EQ(*readText(path, 5), "12345");
  const auto text = readText(path, 4);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::too_large);
  EXPECT_EQ(text.error().message.en, path + ": the file's size must be at most 4 bytes, got 5");
  EXPECT_EQ(readText(folder.file("b.json")).error().code, ErrorCode::file_missing);
}

TEST(WriteAtomically, replacesTheWholeFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.json", "old and longer");
  ASSERT_TRUE(writeAtomically(path, "new"));
  EXPECT_EQ(folder.read("a.json"), "new");
  EXPECT_EQ(folder.listing(), "a.json");
}

TEST(WriteAtomically, keepsTheOldFileWhenItFails) {
  const TemporaryFolder folder;
  folder.write("d/a.json", "old");
  const auto nowhere = writeAtomically(folder.file("none/a.json"), "new");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::file_write);
  EXPECT_TRUE(nowhere.error().message.en.starts_with(folder.file("none/a.json") + ": the file must be in a folder"))
      << nowhere.error().message.en;
  EXPECT_EQ(writeAtomically(folder.file("d"), "new").error().code, ErrorCode::file_write);
  EXPECT_EQ(writeAtomically("", "new").error().code, ErrorCode::file_write);
  EXPECT_EQ(folder.read("d/a.json"), "old");
  if (geteuid() == 0) return;  // root may write anywhere
  std::filesystem::permissions(folder.file("d"),
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  EXPECT_EQ(writeAtomically(folder.file("d/a.json"), "new").error().code, ErrorCode::file_write);
  EXPECT_EQ(folder.read("d/a.json"), "old");
  std::filesystem::permissions(folder.file("d"), std::filesystem::perms::owner_all);
}

TEST(WriteAtomically, keepsTheOldFileWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  folder.write("a.json", "old");
  // A limit on the size of files fails like a full disk: in the middle, or only when the last buffer is written.
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  for (const std::size_t bytes : {1u << 20, 1100u}) {
    const rlimit small{1024, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const auto saved = writeAtomically(folder.file("a.json"), std::string(bytes, 'x'));
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_FALSE(saved) << bytes;
    EXPECT_EQ(folder.read("a.json"), "old");
    EXPECT_EQ(folder.listing(), "a.json") << "no sibling is left";
  }
  std::signal(SIGXFSZ, handler);
}

TEST(WriteAtomically, followsLinksAndKeepsPermissions) {
  const TemporaryFolder folder;
  folder.write("real.json", "old");
  std::filesystem::permissions(folder.file("real.json"),
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::create_symlink("real.json", folder.file("link.json"));
  ASSERT_TRUE(writeAtomically(folder.file("link.json"), "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link.json")));
  EXPECT_EQ(folder.read("real.json"), "new");
  EXPECT_EQ(std::filesystem::status(folder.file("real.json")).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(Escaped, showsWhatActsOnTheTextAroundIt) {
  EXPECT_EQ(escaped("plain 中文 é"), "plain 中文 é");
  EXPECT_EQ(escaped("a\0b\n"s), "a\\u{0}b\\u{A}");
  EXPECT_EQ(escaped("\u202Egnp"), "\\u{202E}gnp");
  for (const auto& [mark, shown] :
       {std::pair{"\u061C", "\\u{61C}"}, std::pair{"\u200B", "\\u{200B}"}, std::pair{"\u200E", "\\u{200E}"},
        std::pair{"\u200F", "\\u{200F}"}, std::pair{"\u202A", "\\u{202A}"}, std::pair{"\u2066", "\\u{2066}"},
        std::pair{"\u2069", "\\u{2069}"}, std::pair{"\uFEFF", "\\u{FEFF}"}})
    EXPECT_EQ(escaped(mark), shown);
  EXPECT_EQ(escaped("\xff\xc0\x80\xed\xa0\x80"), "\\xFF\\xC0\\x80\\xED\\xA0\\x80");
  EXPECT_EQ(escaped("abcdef", 3), "abc…");
  EXPECT_EQ(escaped("\xe4\xb8"), "\\xE4\\xB8");
}

TEST(IsUtf8, refusesOverlongFormsAndSurrogates) {
  for (const char* good : {"", "a", "é", "中", "😀", "\xf4\x8f\xbf\xbf"}) EXPECT_TRUE(isUtf8(good)) << good;
  for (const char* bad : {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
                          "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xc3", "\xe4\xb8", "\xc3z"})
    EXPECT_FALSE(isUtf8(bad)) << escaped(bad);
}

TEST(ParseJson, isStrict) {
  const auto deep = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
  EXPECT_TRUE(parseJson(deep(128), "f"));
  for (const std::string& text :
       {""s, "{"s, "{}x"s, "{\"a\":1,}"s, "[1e400]"s, "[NaN]"s, "[Infinity]"s, "[+1]"s, "[01]"s, "[1] // c"s, "{}\0"s,
        "\xEF\xBB\xBF{}"s, "\"\xff\""s, "\"\xc0\x80\""s, "\"\\ud800\""s, "\"\x01\""s, deep(129), deep(100'000)}) {
    const auto json = parseJson(text, "f");
    ASSERT_FALSE(json) << text.substr(0, 40);
    EXPECT_EQ(json.error().code, ErrorCode::file_format);
    EXPECT_TRUE(json.error().message.en.starts_with("f: the content must be valid JSON in UTF-8, got "))
        << json.error().message.en;
  }
}

TEST(ParseJson, saysWhereAndWhatIsWrongInBothLanguages) {
  const auto said = [](const std::string& text) { return parseJson(text, "f").error().message; };
  EXPECT_EQ(said("{\n \"长\": }"),
            (Text{"f: the content must be valid JSON in UTF-8, got an error in line 2, column 7: "
                  "'}' where a value must stand",
                  "f：内容必须是有效的 UTF-8 JSON，得到第 2 行第 7 列的错误：“}”，此处应为值"}));
  for (const auto& [text, en, zh] :
       {std::tuple{"{\"a\":1,}", "column 8: '}' where a key in quotes must stand", "“}”，此处应为带引号的键"},
        std::tuple{"{\"a\" 1}", "column 6: '1' where ':' must stand", "“1”，此处应为“:”"},
        std::tuple{"{\"a\": 1 \"b\": 2}", "column 9: '\"b\"' where ',' or '}' must stand", "此处应为“,”或“}”"},
        std::tuple{"[1", "column 3: the text ends where ',' or ']' must stand", "文本已结束，此处应为“,”或“]”"},
        std::tuple{"[1, nan]", "column 5: 'nan' is no value of JSON", "不是 JSON 的值"},
        std::tuple{"[\"a]", "column 2: a string without its closing quote", "第 2 列的错误：字符串缺少右引号"},
        std::tuple{"[-]", "is not how JSON writes a number", "不是 JSON 数的写法"},
        std::tuple{"[1] true", "column 5: 'true' where the end must stand", "此处应为文本结尾"}}) {
    const Text message = said(text);
    EXPECT_NE(message.en.find(en), std::string::npos) << message.en;
    EXPECT_NE(message.zh.find(zh), std::string::npos) << message.zh;
    EXPECT_EQ(message.zh.find("error"), std::string::npos) << message.zh;
  }
}

TEST(ParseJson, namesKeysGivenTwice) {
  const auto json = parseJson(R"({"a":{"b":1,"\u0062":2},"c":[{"d":1},{"d":2}],"a":3})", "f");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->repeated, (std::vector<std::string>{"a.b", "a"}));
  EXPECT_EQ(json->root["a"], 3);
}

}  // namespace
}  // namespace posiscope::files

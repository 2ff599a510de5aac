// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/reader.h"
#include "tests/support/safetensors_bytes.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <cmath>
#include <limits>

namespace posiscope::files {
namespace {

using std::string_literals::operator""s;
using test::safetensorsBytes;
using Values = std::vector<double>;

constexpr double inf = std::numeric_limits<double>::infinity();

class SafetensorsTest : public testing::Test {
 protected:
  Expected<Safetensors> open(const std::string& bytes) {
    return Safetensors::open(folder.write("m.safetensors", bytes));
  }
  void accepted(const std::string& header, const std::string& data, std::size_t tensors) {
    const auto file = open(safetensorsBytes(header, data));
    ASSERT_TRUE(file) << file.error().message.en;
    EXPECT_EQ(file->tensors().size(), tensors) << header;
  }
  void refusedBytes(const std::string& bytes, const std::string& field, const std::string& found) {
    const auto file = open(bytes);
    ASSERT_FALSE(file) << bytes.substr(0, 100);
    EXPECT_EQ(file.error().code, ErrorCode::file_format);
    const std::string& en = file.error().message.en;
    EXPECT_TRUE(en.starts_with(folder.file("m.safetensors") + ": " + field)) << en;
    EXPECT_NE(en.find(" must "), std::string::npos) << en;
    EXPECT_EQ(en.find(" must be begin"), std::string::npos) << en;
    EXPECT_NE(en.find(", got " + found), std::string::npos) << en;
    EXPECT_NE(file.error().message.zh.find("必须"), std::string::npos);
  }
  void refused(const std::string& header, const std::string& data, const std::string& field,
               const std::string& found = "") {
    refusedBytes(safetensorsBytes(header, data), field, found);
  }
  /// The refusal without the file's path.
  std::string sentence(const std::string& bytes) {
    const auto file = open(bytes);
    if (file) return "accepted";
    return file.error().message.en.substr(folder.file("m.safetensors: ").size());
  }
  /// One tensor of a type, decoded.
  Values decoded(const std::string& dtype, const std::string& data, std::size_t count) {
    const std::string header = "{\"a\":{\"dtype\":\"" + dtype + "\",\"shape\":[" + std::to_string(count) +
                               "],\"data_offsets\":[0," + std::to_string(data.size()) + "]}}";
    const auto file = open(safetensorsBytes(header, data));
    EXPECT_TRUE(file) << (file ? "" : file.error().message.en);
    const auto array = file ? file->read(file->tensors()[0]) : Expected<Array>(Array{});
    EXPECT_TRUE(array) << (array ? "" : array.error().message.en);
    return array && array->values ? *array->values : Values{};
  }

  test::TemporaryFolder folder;
};

std::string entry(const std::string& name, const std::string& shape, const std::string& offsets,
                  const std::string& dtype = "U8") {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

TEST_F(SafetensorsTest, decodesEveryType) {
  const auto nanAt = [](const Values& v, std::size_t i) { return v.size() > i && std::isnan(v[i]); };
  EXPECT_EQ(decoded("F64", "\0\0\0\0\0\0\xf8\xbf"s, 1), Values{-1.5});
  EXPECT_EQ(decoded("F32", "\0\0\xc0\xbf"s, 1), Values{-1.5});
  const Values bf16 = decoded("BF16", "\x80\x3f\x80\x7f\xc0\x7f\0\xc0"s, 4);
  EXPECT_TRUE(bf16[0] == 1 && bf16[1] == inf && nanAt(bf16, 2) && bf16[3] == -2);
  EXPECT_EQ(decoded("F16", "\0\x3c\xff\x7b\x01\0\0\x7c"s, 4), (Values{1, 65504, std::ldexp(1.0, -24), inf}));
  EXPECT_TRUE(nanAt(decoded("F16", "\x01\x7c", 1), 0));
  const Values e4m3 = decoded("F8_E4M3", "\x38\x08\x01\x7e\x7f\xff", 6);
  EXPECT_EQ(Values(e4m3.begin(), e4m3.begin() + 4), (Values{1, 0.015625, 0.001953125, 448}));
  EXPECT_TRUE(nanAt(e4m3, 4) && nanAt(e4m3, 5));
  const Values e5m2 = decoded("F8_E5M2", "\x3c\x7b\x7c\x7d", 4);
  EXPECT_TRUE(e5m2[0] == 1 && e5m2[1] == 57344 && e5m2[2] == inf && nanAt(e5m2, 3));
  const Values e8m0 = decoded("F8_E8M0", "\x7f\x80\0\xff"s, 4);
  EXPECT_TRUE(e8m0[0] == 1 && e8m0[1] == 2 && e8m0[2] == std::ldexp(1.0, -127) && nanAt(e8m0, 3));
  const Values e4 = decoded("F8_E4M3FNUZ", "\x40\x38\x7f\x80", 4);
  EXPECT_TRUE(e4[0] == 1 && e4[1] == 0.5 && e4[2] == 240 && nanAt(e4, 3));
  const Values e5 = decoded("F8_E5M2FNUZ", "\x40\x7f\x80", 3);
  EXPECT_TRUE(e5[0] == 1 && e5[1] == 57344 && nanAt(e5, 2));
  EXPECT_EQ(decoded("I8", "\xff", 1), Values{-1});
  EXPECT_EQ(decoded("U8", "\xff", 1), Values{255});
  EXPECT_EQ(decoded("I16", "\xfe\xff", 1), Values{-2});
  EXPECT_EQ(decoded("U16", "\xfe\xff", 1), Values{65534});
  EXPECT_EQ(decoded("I32", "\xfd\xff\xff\xff", 1), Values{-3});
  EXPECT_EQ(decoded("U32", "\xfd\xff\xff\xff", 1), Values{4294967293});
  EXPECT_EQ(decoded("I64", "\xfc\xff\xff\xff\xff\xff\xff\xff", 1), Values{-4});
  EXPECT_EQ(decoded("U64", "\0\0\0\0\0\0\0\x80"s, 1), Values{std::ldexp(1.0, 63)});
  EXPECT_EQ(decoded("BOOL", "\0\1\2"s, 3), (Values{0, 1, 1}));
}

TEST_F(SafetensorsTest, listsWhatItCannotShow) {
  const auto file = open(safetensorsBytes(
      "{" + entry("c", "[1]", "[0,8]", "C64") + "," + entry("f", "[4]", "[8,10]", "F4") + "}", "1234567890"));
  ASSERT_TRUE(file) << file.error().message.en;
  EXPECT_FALSE(file->tensors()[0].readable);
  EXPECT_EQ(file->tensors()[1].shape, std::vector<std::int64_t>{4});
  const auto array = file->read(file->tensors()[0]);
  ASSERT_FALSE(array);
  EXPECT_EQ(array.error().code, ErrorCode::file_type);
  EXPECT_EQ(array.error().message.en,
            folder.file("m.safetensors") + ": 'c' dtype must be a float, an integer or BOOL, got C64");
  refused("{" + entry("f", "[3]", "[0,2]", "F4") + "}", "12", "'f' data_offsets", "2 bytes");
  refused("{" + entry("f", "[3]", "[0,1]", "F4") + "}", "1", "'f' data_offsets", "1 bytes");
}

TEST_F(SafetensorsTest, acceptsWhatTheFormatAllows) {
  const std::string a = entry("a", "[2]", "[0,2]");
  accepted("{}", "", 0);
  accepted(" \n\t{" + a + "}", "12", 1);
  accepted("{" + a + "}  \n", "12", 1);
  accepted("{\"__metadata__\":{\"k\":\"v\",\"k\":\"w\"}," + a + "}", "12", 1);
  accepted("{\"__metadata__\":null," + a + "}", "12", 1);
  accepted("{\"a\":{\"dtype\":\"U8\",\"later\":{\"x\":[1,{\"shape\":[9]}]},\"shape\":[2],\"data_offsets\":[0,2]}}",
           "12", 1);
  accepted(
      "{" + entry("s", "[]", "[0,1]") + "," + entry("z", "[0]", "[1,1]") + "," + entry("y", "[2,0]", "[0,0]") + "}",
      "1", 3);
  accepted("{" + entry("z", "[0,4294967296,4294967296]", "[0,0]") + "}", "", 1);
  accepted("{" + entry("z", "[4294967296,4294967296,0]", "[0,0]") + "}", "", 1);
  accepted("{" + entry("", "[1]", "[0,1]") + "," + entry("../../x\\u0000", "[1]", "[1,2]") + "}", "12", 2);
  accepted("{" + entry("b", "[2]", "[2,4]") + "," + a + "}", "1234", 2);
  std::string rank = "[1";
  for (int i = 1; i < 40; ++i) rank += ",1";
  accepted("{" + entry("r", rank + "]", "[0,1]") + "}", "1", 1);
}

TEST_F(SafetensorsTest, refusesNamesGivenTwice) {
  const std::string a = entry("a", "[2]", "[0,2]");
  refused("{" + a + "," + a + "}", "12", "'a'", "it twice");
  refused("{" + a + "," + entry("\\u0061", "[2]", "[2,4]") + "}", "1234", "'a'", "it twice");
  refused("{\"__metadata__\":{},\"__metadata__\":{}}", "", "'__metadata__'", "it twice");
  refused("{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", "1", "'a' dtype",
          "it twice");
}

TEST_F(SafetensorsTest, refusesBrokenEntries) {
  refused("{\"a\":[\"F32\",[2,2],[0,16]]}", "1234567812345678", "'a'", "a list");
  refused("{\"a\":3}", "", "'a'", "3");
  refused("{\"a\":null}", "", "'a'", "null");
  refused("{\"a\":{\"shape\":[1],\"data_offsets\":[0,1]}}", "1", "'a' dtype", "no such key");
  refused("{\"a\":{\"dtype\":\"U8\",\"data_offsets\":[0,1]}}", "1", "'a' shape", "no such key");
  refused("{\"a\":{\"dtype\":\"U8\",\"shape\":[1]}}", "1", "'a' data_offsets", "no such key");
  refused("{" + entry("a", "[1]", "[0,1]", "u8") + "}", "1", "'a' dtype", "'u8'");
  refused("{\"a\":{\"dtype\":4,\"shape\":[1],\"data_offsets\":[0,1]}}", "1", "'a' dtype", "4");
  for (const char* shape :
       {"[2.0]", "[2e0]", "[-2]", "[\"2\"]", "[null]", "[[2]]", "[18446744073709551616]", "2", "null", "{}"})
    refused("{" + entry("a", shape, "[0,2]") + "}", "12", "'a' shape");
  for (const char* offsets : {"[0,1,2]", "[2]", "[]", "[2,0]", "[-1,1]", "[0.0,2]", "2", "{\"a\":1}"})
    refused("{" + entry("a", "[2]", offsets) + "}", "12", "'a' data_offsets");
  refused("{\"__metadata__\":{\"k\":1}}", "", "__metadata__", "1");
  refused("{\"__metadata__\":{\"k\":{}}}", "", "__metadata__", "an object");
  refused("{\"__metadata__\":{\"k\":null}}", "", "__metadata__", "null");
}

TEST_F(SafetensorsTest, refusesRangesThatDoNotTileTheFile) {
  const std::string a = entry("a", "[2]", "[0,2]");
  EXPECT_EQ(sentence(safetensorsBytes("{" + a + "}", "123")),
            "the last tensor must end where the file ends, at byte 3 of the data; it ends at 2");
  EXPECT_EQ(sentence(safetensorsBytes("{" + a + "}", "1")),
            "the last tensor must end where the file ends, at byte 1 of the data; it ends at 2");
  refused("{}", "1", "the data of a header without tensors", "1 bytes");
  EXPECT_EQ(sentence(safetensorsBytes("{" + entry("a", "[2]", "[1,3]") + "}", "123")),
            "'a' data_offsets must begin at byte 0, the first of the data, got 1");
  EXPECT_EQ(sentence(safetensorsBytes("{" + a + "," + entry("b", "[1]", "[3,4]") + "}", "1234")),
            "'b' data_offsets must begin at byte 2, where the previous tensor ends, got 3");
  refused("{" + entry("a", "[2]", "[1,3]") + "}", "123", "'a' data_offsets", "1");
  refused("{" + a + "," + entry("b", "[1]", "[3,4]") + "}", "1234", "'b' data_offsets", "3");
  refused("{" + a + "," + entry("b", "[2]", "[1,3]") + "}", "123", "'b' data_offsets", "1");
  refused("{" + a + "," + entry("b", "[2]", "[0,2]") + "}", "12", "'b' data_offsets", "0");
  refused("{" + a + "," + entry("z", "[0]", "[1,1]") + "}", "12", "'z' data_offsets", "1");
  refused("{" + entry("a", "[3]", "[0,2]") + "}", "12", "'a' data_offsets", "2 bytes");
}

TEST_F(SafetensorsTest, refusesProductsThatOverflow) {
  refused("{" + entry("a", "[4294967296,4294967296]", "[0,0]") + "}", "", "'a' shape", "(4294967296, 4294967296)");
  refused("{" + entry("a", "[4611686018427387908]", "[0,16]", "F32") + "}", std::string(16, 'x'), "'a' shape",
          "4611686018427387908");
  refused("{" + entry("a", "[281474976710656,65535]", "[0,0]", "F64") + "}", "", "'a' shape",
          "(281474976710656, 65535)");
}

TEST_F(SafetensorsTest, refusesTextThatIsNotStrictJson) {
  const std::string a = "{" + entry("a", "[1]", "[0,1]") + "}";
  for (const std::string& header :
       {a + "\0"s, "\xEF\xBB\xBF" + a, "[]"s, "3"s, "  "s, a + "x", "{" + entry("\xff", "[1]", "[0,1]") + "}",
        "{" + entry("\xc0\x80", "[1]", "[0,1]") + "}", "{" + entry("\\ud800", "[1]", "[0,1]") + "}",
        "{" + entry("\x01", "[1]", "[0,1]") + "}", "{" + entry("a", "[1,]", "[0,1]") + "}",
        "{" + entry("a", "[NaN]", "[0,1]") + "}", "{" + entry("a", "[02]", "[0,2]") + "}"})
    refused(header, "1", "the header");
  for (const std::size_t depth : {200u, 100'000u}) {
    const std::string deep = std::string(depth, '[') + std::string(depth, ']');
    refused("{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1],\"x\":" + deep + "}}", "1", "the header",
            "more lists");
  }
}

TEST_F(SafetensorsTest, believesNoDeclaredLength) {
  const auto length = [](std::uint64_t n) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(n >> (8 * i)));
    return bytes;
  };
  refusedBytes("1234567", "the content", "a file of 7 bytes");
  refusedBytes(length(0), "the content", "a file of 8 bytes");
  refusedBytes(length(0) + "{}", "the header's length", "0");
  EXPECT_EQ(sentence(length(0) + "{}12"), "the header's length must be at least 2 bytes, got 0");
  EXPECT_EQ(sentence(length(5) + "{}12"), "the header's length must be at most 4 bytes (the file ends there), got 5");
  EXPECT_EQ(sentence(length(100'000'001) + "{}"),
            "the header's length must be at most 100 000 000 bytes, got 100000001");
  refusedBytes(length(~0ull) + "{}", "the header's length", "18446744073709551615");
  refusedBytes(length(100'000'001) + "{}", "the header's length", "100000001");
  refusedBytes(length(3) + "{}", "the header's length", "3");
  refusedBytes("\0\0\0\0\0\0\0\2{}"s, "the header's length",
               "144115188075855872 (2 in the other byte order: is the file byte-swapped?)");
}

TEST_F(SafetensorsTest, namesWhatTheFileReallyIs) {
  refusedBytes("", "the content", "an empty file");
  refusedBytes("version https://git-lfs.github.com/spec/v1\n", "the content", "a Git-LFS pointer");
  refusedBytes("<!doctype html>", "the content", "a web page");
  refusedBytes("PK\x03\x04.....archive/data.pkl", "the content", "a PyTorch pickle");
  refusedBytes("\x93NUMPY\x01\0"s, "the content", "a NumPy array");
}

TEST_F(SafetensorsTest, hostileNamesAreEscaped) {
  const auto file =
      open(safetensorsBytes("{" + entry("\\u202Egnp\\u0000" + std::string(100'000, 'x'), "[3]", "[0,2]") + "}", "12"));
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().message.en.find("'\\u{202E}gnp\\u{0}xxx"), std::string::npos);
  EXPECT_LT(file.error().message.en.size(), 500u);
}

TEST_F(SafetensorsTest, noticesThatTheFileChanged) {
  const auto file = open(safetensorsBytes("{" + entry("a", "[2]", "[0,2]") + "}", "12"));
  ASSERT_TRUE(file);
  folder.write("m.safetensors", "short");
  const auto array = file->read(file->tensors()[0]);
  ASSERT_FALSE(array);
  EXPECT_EQ(array.error().code, ErrorCode::file_format);
}

TEST_F(SafetensorsTest, arraysAreFoundByName) {
  const std::string path =
      folder.write("m.safetensors", safetensorsBytes("{" + entry("a#b", "[1,2]", "[0,2]") + "}", "\7\11"));
  const auto array = readArray(path + "#a#b");
  ASSERT_TRUE(array) << array.error().message.en;
  EXPECT_EQ(*array, makeArray({1, 2}, {7, 9}, path + "#a#b"));
  EXPECT_EQ(readArray(path + "#c").error().code, ErrorCode::unknown_name);
  EXPECT_EQ(readArray(folder.file("n.safetensors#c")).error().code, ErrorCode::file_missing);
}

TEST_F(SafetensorsTest, theOnlyArrayNeedsNoName) {
  const std::string one =
      folder.write("one.safetensors", safetensorsBytes("{" + entry("a", "[2]", "[0,2]") + "}", "\7\11"));
  const auto array = readArray(one);
  ASSERT_TRUE(array) << array.error().message.en;
  EXPECT_EQ(*array, makeArray({2}, {7, 9}, one + "#a"));
  const std::string two = folder.write(
      "two.safetensors",
      safetensorsBytes("{" + entry("a", "[1]", "[0,1]") + "," + entry("b", "[1]", "[1,2]") + "}", "\7\11"));
  const auto unnamed = readArray(two);
  ASSERT_FALSE(unnamed);
  EXPECT_EQ(unnamed.error().code, ErrorCode::unknown_name);
  EXPECT_EQ(unnamed.error().message.en,
            two + ": the path must be followed by '#' and one of the tensors 'a', 'b', got no name");
  EXPECT_EQ(readArray(two + "#c").error().message.en, two + ": the tensor must be one of 'a', 'b', got 'c'");
  const auto none = readArray(folder.write("none.safetensors", safetensorsBytes("{}", "")));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message.en,
            folder.file("none.safetensors") + ": the number of tensors must be at least 1, got 0");
}

TEST_F(SafetensorsTest, manyNamesAreCounted) {
  std::string entries;
  for (int i = 0; i < 15; ++i) {
    const std::string at = std::to_string(i), next = std::to_string(i + 1);
    entries += (i ? "," : "") + entry("t" + at, "[1]", "[" + at + "," + next + "]");
  }
  const auto array =
      readArray(folder.write("m.safetensors", safetensorsBytes("{" + entries + "}", std::string(15, 'x'))));
  ASSERT_FALSE(array);
  const std::string& en = array.error().message.en;
  EXPECT_NE(en.find("'t11' and 3 more, got"), std::string::npos) << en;
  EXPECT_NE(array.error().message.zh.find("'t11' 等 15 个"), std::string::npos) << array.error().message.zh;
}

TEST_F(SafetensorsTest, aReplacementHasTheWantedNameOrOnlyOneTensor) {
  const std::string gone = folder.file("gone.safetensors#b");
  const std::string two = folder.write(
      "two.safetensors",
      safetensorsBytes("{" + entry("a", "[1]", "[0,1]") + "," + entry("b", "[1]", "[1,2]") + "}", "\7\11"));
  const auto same_name = readArrayInPlaceOf(gone, two);
  ASSERT_TRUE(same_name) << same_name.error().message.en;
  EXPECT_EQ(*same_name, makeArray({1}, {9}, two + "#b"));
  const std::string one =
      folder.write("one.safetensors", safetensorsBytes("{" + entry("a", "[1]", "[0,1]") + "}", "\7"));
  const auto only = readArrayInPlaceOf(gone, one);
  ASSERT_TRUE(only) << only.error().message.en;
  EXPECT_EQ(*only, makeArray({1}, {7}, one + "#a"));
  const auto other = readArrayInPlaceOf(folder.file("gone.safetensors#c"), two);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message.en, two + ": the tensor must be one of 'a', 'b', got 'c'");
  const std::string plain = folder.file("plain.npy");
  ASSERT_TRUE(writeNpy(plain, makeArray({1}, {3})));
  const auto npy = readArrayInPlaceOf(gone, plain);
  ASSERT_TRUE(npy) << npy.error().message.en;
  EXPECT_EQ(*npy, makeArray({1}, {3}, plain));
  // A person is asked only where nothing else tells the tensor.
  EXPECT_TRUE(tensorsToChooseFrom(gone, two).empty());
  EXPECT_EQ(tensorsToChooseFrom(folder.file("gone.safetensors#c"), two).size(), 2u);
  EXPECT_EQ(tensorsToChooseFrom("", two).size(), 2u);
  EXPECT_EQ(tensorsToChooseFrom(plain, two).size(), 2u);
  for (const std::string& clear : {two + "#a", one, plain, folder.file("gone.safetensors")})
    EXPECT_TRUE(tensorsToChooseFrom("", clear).empty()) << clear;
}

TEST_F(SafetensorsTest, aStoppedJobEndsTheReading) {
  const std::string path = folder.write("m.safetensors", safetensorsBytes("{" + entry("a", "[1]", "[0,1]") + "}", "\7"));
  const Job job;
  EXPECT_TRUE(readArray(path, job));
  job.stop();
  for (const auto& array : {readArray(path, job), readArray(path + "#a", job), readArrayInPlaceOf("gone.npy", path, job)}) {
    ASSERT_FALSE(array);
    EXPECT_EQ(array.error().code, ErrorCode::cancelled);
    EXPECT_EQ(array.error().message.en, path + ": reading was stopped");
  }
}

}  // namespace
}  // namespace posiscope::files

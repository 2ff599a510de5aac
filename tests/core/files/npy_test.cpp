// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/reader.h"
#include "core/shape.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace posiscope::files {
namespace {

using test::TemporaryFolder;
using Values = std::vector<double>;
using Dimensions = std::vector<std::int64_t>;
using std::string_literals::operator""s;

std::string npy(const std::string& header, const std::string& data, int major = 1) {
  std::string bytes = "\x93NUMPY";
  bytes.append({static_cast<char>(major), 0});
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) bytes.push_back(static_cast<char>(header.size() >> (8 * i)));
  return bytes + header + data;
}

std::string header(const std::string& descr, const std::string& shape, const std::string& order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

std::string raw(const std::string& descr, const std::string& shape, const std::string& data) {
  return npy(header(descr, shape), data);
}

class NpyTest : public testing::Test {
 protected:
  Expected<Array> open(const std::string& bytes) { return readNpy(folder.write("a.npy", bytes)); }
  Values values(const std::string& bytes) {
    const Expected<Array> array = open(bytes);
    EXPECT_TRUE(array) << (array ? "" : array.error().message.en);
    return array ? *array->values : Values{};
  }
  /// The refusal names file, field, allowed and found, in both languages.
  void refused(const std::string& bytes, ErrorCode code, const std::string& field, const std::string& found) {
    const Expected<Array> array = open(bytes);
    ASSERT_FALSE(array) << field << " " << found;
    const Error& e = array.error();
    EXPECT_EQ(e.code, code) << e.message.en;
    EXPECT_TRUE(e.message.en.starts_with(folder.file("a.npy") + ": " + field + " must be ")) << e.message.en;
    EXPECT_NE(e.message.en.find(", got " + found), std::string::npos) << e.message.en;
    EXPECT_NE(e.message.zh.find("必须是"), std::string::npos) << e.message.zh;
  }
  void damaged(const std::string& bytes, const std::string& field, const std::string& found = "") {
    refused(bytes, ErrorCode::file_format, field, found);
  }

  TemporaryFolder folder;
};

TEST_F(NpyTest, readsEveryNumberTypeInBothByteOrders) {
  EXPECT_EQ(values(raw("<f8", "(1,)", "\0\0\0\0\0\0\xf8\xbf"s)), Values{-1.5});
  EXPECT_EQ(values(raw(">f8", "(1,)", "\xbf\xf8\0\0\0\0\0\0"s)), Values{-1.5});
  EXPECT_EQ(values(raw("<f4", "(2,)", "\0\0\xc0\xbf\0\0\0\x40"s)), (Values{-1.5, 2}));
  EXPECT_EQ(values(raw(">f4", "(1,)", "\xbf\xc0\0\0"s)), Values{-1.5});
  EXPECT_EQ(values(raw("<f2", "(3,)", "\0\x3c\xff\x7b\x01\0"s)), (Values{1, 65504, std::ldexp(1.0, -24)}));
  EXPECT_EQ(values(raw(">f2", "(1,)", "\xc0\0"s)), Values{-2});
  EXPECT_EQ(values(raw("|i1", "(2,)", "\xff\x7f"s)), (Values{-1, 127}));
  EXPECT_EQ(values(raw("|u1", "(2,)", "\xff\x7f"s)), (Values{255, 127}));
  EXPECT_EQ(values(raw("<i2", "(1,)", "\xfe\xff"s)), Values{-2});
  EXPECT_EQ(values(raw(">u2", "(1,)", "\x01\x02"s)), Values{258});
  EXPECT_EQ(values(raw("<i4", "(1,)", "\xfd\xff\xff\xff"s)), Values{-3});
  EXPECT_EQ(values(raw("<u4", "(1,)", "\xfd\xff\xff\xff"s)), Values{4294967293});
  EXPECT_EQ(values(raw(">i8", "(1,)", "\xff\xff\xff\xff\xff\xff\xff\xfc"s)), Values{-4});
  EXPECT_EQ(values(raw("<u8", "(1,)", "\0\0\0\0\0\0\0\x80"s)), Values{std::ldexp(1.0, 63)});
  EXPECT_EQ(values(raw("|b1", "(3,)", "\0\x01\x02"s)), (Values{0, 1, 1}));
  EXPECT_EQ(values(raw("=f4", "(1,)", "\0\0\x80\x3f"s)), Values{1});
  EXPECT_EQ(values(raw("f4", "(1,)", "\0\0\x80\x3f"s)), Values{1});
}

TEST_F(NpyTest, keepsSpecialValues) {
  const Values v = values(raw("<f4", "(4,)", "\0\0\xc0\x7f\0\0\x80\x7f\0\0\x80\xff\0\0\0\x80"s));
  ASSERT_EQ(v.size(), 4u);
  EXPECT_TRUE(std::isnan(v[0]));
  EXPECT_EQ(v[1], std::numeric_limits<double>::infinity());
  EXPECT_EQ(v[2], -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::signbit(v[3]));
}

TEST_F(NpyTest, turnsColumnMajorIntoRowMajor) {
  EXPECT_EQ(values(npy(header("|u1", "(2, 2)", "True"), "\1\2\3\4")), (Values{1, 3, 2, 4}));
  // Element (i, j, k) of a (2, 3, 2) array holds 100 i + 10 j + k.
  std::string columns;
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i) columns.push_back(static_cast<char>(100 * i + 10 * j + k));
  EXPECT_EQ(values(npy(header("|u1", "(2, 3, 2)", "True"), columns)),
            (Values{0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121}));
}

TEST_F(NpyTest, readsSomeRowsOfEitherOrder) {
  // Element (i, j, k) of a (2, 3, 2) array holds 100 i + 10 j + k.
  std::string rows, columns;
  for (int e = 0; e < 12; ++e) {
    rows.push_back(static_cast<char>(100 * (e / 6) + 10 * (e / 2 % 3) + e % 2));
    columns.push_back(static_cast<char>(100 * (e % 2) + 10 * (e / 2 % 3) + e / 6));
  }
  const std::vector<std::int64_t> wanted{4, 0, 5};
  for (const std::string& bytes : {raw("|u1", "(2, 3, 2)", rows), npy(header("|u1", "(2, 3, 2)", "True"), columns)}) {
    const Expected<Array> read = readNpyRows(folder.write("r.npy", bytes), wanted);
    ASSERT_TRUE(read) << read.error().message.en;
    EXPECT_EQ(read->shape, (Dimensions{3, 2}));
    EXPECT_EQ(*read->values, (Values{110, 111, 0, 1, 120, 121}));
  }
  const std::vector<std::int64_t> first{0};
  const Expected<Array> vector = readNpyRows(folder.write("v.npy", raw("|u1", "(3,)", "\1\2\3")), first);
  ASSERT_TRUE(vector) << vector.error().message.en;
  EXPECT_EQ(*vector->values, (Values{1, 2, 3}));
  EXPECT_EQ(readNpyRows(folder.file("gone.npy"), first).error().code, ErrorCode::file_missing);
}

TEST_F(NpyTest, acceptsEverySpellingOfTheHeader) {
  const Values one{7};
  EXPECT_EQ(values(npy("{'descr':'|u1','fortran_order':False,'shape':(1,)}", "\7")), one);
  EXPECT_EQ(values(npy("  {\"shape\" : (1,), \"fortran_order\": False, \"descr\": \"|u1\"} # done\n", "\7")), one);
  EXPECT_EQ(values(npy(header("|u1", "(0x1,)"), "\7")), one);
  EXPECT_EQ(values(npy(header("|u1", "(1L,)"), "\7")), one);
  EXPECT_EQ(values(npy(header("|u1", "(1,)"), "\7", 2)), one);
  EXPECT_EQ(values(npy(header("|u1", "(1,)"), "\7", 3)), one);
  EXPECT_EQ(values(npy(header("|u1", "(1,)"), "\7trailing bytes are allowed")), one);
  const Expected<Array> scalar = open(raw("|u1", "()", "\7"));
  ASSERT_TRUE(scalar);
  EXPECT_EQ(scalar->shape, Dimensions{});
  EXPECT_EQ(*scalar->values, one);
  const Expected<Array> nothing = open(raw("<f4", "(0, 3)", ""));
  ASSERT_TRUE(nothing);
  EXPECT_EQ(nothing->shape, (Dimensions{0, 3}));
  EXPECT_TRUE(nothing->empty());
}

TEST_F(NpyTest, refusesTypesByName) {
  const auto type = ErrorCode::file_type;
  refused(raw("|O", "(1,)", "x"), type, "descr", "'|O' (Python objects, stored as a pickle");
  refused(raw("<U2", "(1,)", "12345678"), type, "descr", "'<U2' (strings)");
  refused(raw("|S4", "(1,)", "1234"), type, "descr", "'|S4' (strings)");
  refused(raw("<M8[s]", "(1,)", "12345678"), type, "descr", "'<M8[s]' (times)");
  refused(raw("<c8", "(1,)", "12345678"), type, "descr", "'<c8' (complex numbers)");
  refused(raw("|V2", "(1,)", "12"), type, "descr", "'|V2' (raw bytes; bfloat16");
  refused(raw("|V0", "(99999999999,)", ""), type, "descr", "'|V0'");
  refused(raw("<f16", "(1,)", "1234567812345678"), type, "descr", "'<f16'");
  refused(raw("float32", "(1,)", "1234"), type, "descr", "'float32'");
  refused(raw("|f4", "(1,)", "1234"), type, "descr", "'|f4'");
  refused(raw("f4,f4", "(1,)", "12345678"), type, "descr", "'f4,f4'");
  refused(npy("{'descr': [('a', '|O')], 'fortran_order': False, 'shape': (1,)}", "x"), type, "descr",
          "a structure [('a'");
  refused(npy("{'descr': ('<f4', (2,)), 'fortran_order': False, 'shape': (1,)}", "12345678"), type, "descr",
          "a structure");
}

TEST_F(NpyTest, refusesHeadersThatAreNotTheDict) {
  const std::string rest = "'fortran_order': False, 'shape': (1,)}";
  damaged(npy("{'descr': '|u1', " + rest.substr(0, rest.size() - 1) + ", 'extra': 1}", "x"), "a key of the header",
          "extra");
  damaged(npy("{" + rest, "x"), "descr", "no such key");
  damaged(npy("{'descr': '|u1', 'shape': (1,)}", "x"), "fortran_order", "no such key");
  damaged(npy("{'descr': '|u1', 'fortran_order': True}", "x"), "shape", "no such key");
  damaged(npy("{'descr': '|u1', 'descr': '|u1', " + rest, "x"), "descr", "the key twice");
  damaged(npy("{'descr': 1+1, " + rest, "x"), "descr", "1+1");
  damaged(npy("{'descr': '|u1' 'shape': (1,)}", "x"), "the header", "'shape'");
  damaged(npy("{'descr': '|u1', " + rest + " x", "x"), "the header", "x");
  damaged(npy("__import__('os')", "x"), "the header", "__import__");
  damaged(npy("", "x"), "the header");
  damaged(npy("{'descr", "x"), "a key of the header");
  damaged(npy("{'descr': '|u1\0', "s + rest, "x"), "the header");
  damaged(npy("{'descr': '|u1', " + rest + "#\xff", "x", 3), "the header", "{'descr'");
  refused(npy("{'descr': " + std::string(4500, '[') + "}", "x"), ErrorCode::file_type, "descr", "a structure [[[");
  for (const char* order : {"0", "None", "true", "'False'"})
    damaged(npy(header("|u1", "(1,)", order), "x"), "fortran_order", order);
}

TEST_F(NpyTest, refusesShapesThatLie) {
  for (const char* shape : {"(-1, 2)", "(-1,)", "(True, 4)", "[1]", "1", "(4)", "(1+1,)", "(1.0,)", "('1',)", "(01,)",
                            "(1 2)", "(,)", "(1,,)"})
    damaged(raw("|u1", shape, "12345678"), "shape");
  damaged(npy(header("|u1", "(2L,)"), "12", 3), "shape", "(2L,)");
  damaged(raw("|u1", "(0, 99999999999999999999)", ""), "shape", "(0, 99999999999999999999)");
  damaged(raw("|u1", "(0, 281474976710657)", ""), "shape", "(0, 281474976710657)");
  damaged(raw("<f4", "(4294967296, 4294967296)", "1234567812345678"), "shape", "(4294967296, 4294967296)");
  damaged(raw("<f4", "(1099511627776,)", "1234567812345678"), "shape", "(1099511627776,)");
  damaged(raw("<f4", "(2,)", "1234567"), "shape", "(2,)");
  std::string many = "(";
  for (int i = 0; i < 65; ++i) many += "1,";
  damaged(raw("|u1", many + ")", "x"), "shape", "more");
}

TEST_F(NpyTest, quotesTheWholeValueAndNoMore) {
  const auto quoted = [&](const std::string& dict, int major = 1) {
    const Expected<Array> array = open(npy(dict, "12345678", major));
    const std::string en = array ? "" : array.error().message.en;
    const std::size_t got = en.find(", got ");
    return got == std::string::npos ? en : en.substr(got + 6);
  };
  for (const char* shape : {"(-1, 2)", "(1+1,4)", "(4)", "[(1, 2), 3]", "(')', 2)", "-1"}) {
    EXPECT_EQ(quoted(header("|u1", shape)), shape);
    EXPECT_EQ(quoted("{'descr': '|u1', 'fortran_order': False, 'shape': " + std::string(shape) + " }    \n"), shape);
  }
  EXPECT_EQ(quoted(header("|u1", "(2L, 4)"), 3), "(2L, 4)");
  EXPECT_EQ(quoted(header("|u1", "(1,)", "0")), "0");
  EXPECT_EQ(quoted("{'descr': 1+1, 'fortran_order': False, 'shape': (1,)}"), "1+1");
  EXPECT_EQ(quoted("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}"), "a structure [('a', '<f4')]");
  EXPECT_EQ(quoted("{'descr': '|u1', 'fortran_order': , 'shape': (1,)}"), "nothing");
}

TEST_F(NpyTest, believesNoDeclaredLength) {
  damaged("\x93NUMPY\x01\0\xff\xff{"s, "the header's length", "65535");
  damaged("\x93NUMPY\x02\0\xff\xff\xff\xff{"s, "the header's length", "4294967295");
  damaged(npy(std::string(70000, ' '), "x", 2), "the header's length", "70000");
  damaged("\x93NUMPY\x01\0"s, "the header's length");
  damaged("\x93NUMPY\x01"s, "the format version");
  damaged("\x93NUMPY\x04\0\0\0"s, "the format version", "4.0");
  damaged("\x93NUMPY\x01\x01\0\0"s, "the format version", "1.1");
}

TEST_F(NpyTest, namesWhatTheFileReallyIs) {
  damaged("", "the content", "an empty file");
  damaged("\x93NUM", "the content", "'\\x93NUM'");
  damaged("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "the content", "a Git-LFS pointer");
  damaged("\n <!DOCTYPE html><html>", "the content", "a web page");
  damaged("<HTML>", "the content", "a web page");
  damaged("PK\x03\x04......archive/data.pkl", "the content", "a PyTorch pickle");
  damaged("PK\x03\x04......q.npy", "the content", "an archive of arrays, which is read where its name ends in .npz");
  damaged("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20", "the content", "a PyTorch pickle");
  damaged("\x80\x04\x95", "the content", "a Python pickle");
  damaged("GGUF\3\0\0\0", "the content", "a GGUF model");
}

TEST_F(NpyTest, saysWhenThereIsNoFile) {
  const Expected<Array> nothing = readNpy(folder.file("none.npy"));
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, ErrorCode::file_missing);
  EXPECT_EQ(nothing.error().message.en,
            folder.file("none.npy") + ": the path must be a readable file, got nothing at that place");
  EXPECT_EQ(readNpy(folder.path()).error().code, ErrorCode::file_missing);
  EXPECT_EQ(readNpy("/dev/zero").error().code, ErrorCode::file_missing);
}

TEST_F(NpyTest, refusesMoreThanTheMemoryLimit) {
  const double before = memoryLimit();
  setMemoryLimit(64);
  const Expected<Array> array = open(raw("|u1", "(9,)", "123456789"));
  setMemoryLimit(before);
  ASSERT_FALSE(array);
  EXPECT_EQ(array.error().code, ErrorCode::too_large);
}

TEST_F(NpyTest, writesWhatItReads) {
  std::mt19937_64 random(1);
  for (const Dimensions& shape : {Dimensions{}, {5}, {3, 4}, {2, 0}, {2, 3, 4}}) {
    std::size_t size = 1;
    for (const std::int64_t d : shape) size *= static_cast<std::size_t>(d);
    Values numbers(size);
    for (double& v : numbers) v = std::bit_cast<double>(random());
    const std::string path = folder.file("w.npy");
    ASSERT_TRUE(writeNpy(path, makeArray(shape, numbers)));
    EXPECT_EQ(folder.read("w.npy").find('\n') % 64, 63u) << "the numbers start at a multiple of 64";
    const Expected<Array> back = readNpy(path);
    ASSERT_TRUE(back) << back.error().message.en;
    EXPECT_EQ(*back, makeArray(shape, numbers, path));
  }
  ASSERT_TRUE(writeNpy(folder.file("s.npy"), makeArray({2}, {1.0 / 3, -2}), true));
  EXPECT_EQ(*readNpy(folder.file("s.npy"))->values, (Values{1.0f / 3, -2}));
  EXPECT_EQ(folder.listing(), "s.npy w.npy") << "no sibling is left";
}

TEST_F(NpyTest, largeArraysSurviveTheirPieces) {
  Values numbers(200'001);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  ASSERT_TRUE(writeNpy(folder.file("l.npy"), makeArray({200'001}, numbers)));
  EXPECT_EQ(*readNpy(folder.file("l.npy"))->values, numbers);
}

}  // namespace
}  // namespace posiscope::files

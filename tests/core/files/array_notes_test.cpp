// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/array_notes.h"

#include "core/content_shape.h"
#include "core/files/reader.h"
#include "tests/support/safetensors_bytes.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <limits>

namespace posiscope::files {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

class ArrayNotes : public testing::Test {
 protected:
  /// What is said of the file's array, with its numbers and without them.
  std::vector<std::string> notes(const std::string& path) const {
    const Expected<Array> array = readArray(path);
    if (!array) ADD_FAILURE() << array.error().message.en;
    const std::vector<Text> read = notesOn(array.value_or(Array{}));
    const std::vector<Text> described = notesOn(Array{array->shape, nullptr, path});
    EXPECT_EQ(read.size(), described.size());
    std::vector<std::string> sentences;
    for (std::size_t n = 0; n < read.size(); ++n) {
      EXPECT_EQ(read[n].en, described.at(n).en);
      EXPECT_FALSE(read[n].zh.empty());
      sentences.push_back(read[n].en);
    }
    return sentences;
  }
  std::string npy(const std::vector<double>& values) const {
    EXPECT_TRUE(writeNpy(folder.file("n.npy"), makeArray({static_cast<std::int64_t>(values.size()), 1}, values)));
    return folder.file("n.npy");
  }
  using Sentences = std::vector<std::string>;
  test::TemporaryFolder folder;
};

TEST_F(ArrayNotes, numbersThatAreNoneAreCounted) {
  const std::string path = npy({1, nan_value, 3});
  EXPECT_EQ(notes(path), Sentences{path + ": 1 of 3 numbers is not a number (NaN)"});
  npy({infinity, nan_value, -infinity, nan_value});
  EXPECT_EQ(notes(path),
            (Sentences{path + ": 2 of 4 numbers are not numbers (NaN)", path + ": 2 of 4 numbers are infinite"}));
  npy({1, 2});
  EXPECT_EQ(notes(path), Sentences{});
}

TEST_F(ArrayNotes, bytesBehindTheNumbersAreTold) {
  const std::string path = npy({1, 2});
  const std::string whole = folder.read("n.npy");
  folder.write("n.npy", whole + "x");
  EXPECT_EQ(notes(path), Sentences{path + ": 1 byte after the numbers is not read"});
  folder.write("n.npy", whole + "junk and more");
  EXPECT_EQ(notes(path), Sentences{path + ": 13 bytes after the numbers are not read"});
}

TEST_F(ArrayNotes, integersAreTold) {
  const std::string path = folder.write(
      "i.safetensors", test::safetensorsBytes(R"({"ids":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}})", "abc"));
  EXPECT_EQ(notes(path + "#ids"), Sentences{path + "#ids: the numbers are U8, not floating point"});
  const auto array = readArray(path + "#ids");
  ASSERT_TRUE(array);
  EXPECT_TRUE(notesOn(*array, Job(), Numbers::ids).empty()) << "ids are whole";
  EXPECT_EQ(numbersIn("token_file"), Numbers::ids);
  EXPECT_EQ(numbersIn("q"), Numbers::real);
}

TEST_F(ArrayNotes, thereAreNoneOfWhatComesFromNoFile) { EXPECT_TRUE(notesOn(makeArray({1}, {nan_value})).empty()); }

}  // namespace
}  // namespace posiscope::files

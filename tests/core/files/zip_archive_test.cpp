// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/zip_archive.h"
#include "core/files/npz.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/zip_bytes.h"

#include <gtest/gtest.h>

namespace posiscope::files {
namespace {

using test::littleBytes;
using test::npyBytes;
using test::zipBytes;
using test::ZipWay;

class Zip : public testing::Test {
 protected:
  /// Reads every member of an archive of these bytes.
  Expected<std::string> readAll(const std::string& bytes) const {
    const auto archive = ZipArchive::open(folder.write("a.npz", bytes));
    if (!archive) return fail(archive.error());
    std::string all;
    for (const ZipMember& member : archive->members()) {
      const auto found = archive->bytes(member);
      if (!found) return fail(found.error());
      all += *found;
    }
    return all;
  }
  ErrorCode refusal(const std::string& bytes) const {
    const auto found = readAll(bytes);
    EXPECT_FALSE(found);
    if (found) return ErrorCode::cancelled;
    EXPECT_FALSE(found.error().message.zh.empty());
    return found.error().code;
  }

  test::TemporaryFolder folder;
  const std::string text = "weights, weights, weights, weights";
};

TEST_F(Zip, membersComeBackWhole) {
  for (const ZipWay way : {ZipWay::stored, ZipWay::deflated}) {
    const auto found = readAll(zipBytes({{"a", text}, {"b", {}}, {"c", std::string(300'000, 'x')}}, way));
    ASSERT_TRUE(found) << found.error().message.en;
    EXPECT_EQ(*found, text + std::string(300'000, 'x'));
  }
  EXPECT_EQ(readAll(zipBytes({}, ZipWay::stored)), Expected<std::string>(std::string{}));
  EXPECT_TRUE(readAll(zipBytes({{"a", text}}, ZipWay::stored) + "junk behind")) << "NumPy takes it, too";
}

TEST_F(Zip, theLastOfTwoOfOneNameCounts) {
  folder.write("a.npz", zipBytes({{"w.npy", npyBytes("(1,)", {1})}, {"w.npy", npyBytes("(1,)", {2})}}, ZipWay::stored));
  EXPECT_EQ(readNpz(folder.file("a.npz"), "w")->data()[0], 2);
  EXPECT_EQ(describeNpz(folder.file("a.npz"))->size(), 1u);
}

TEST_F(Zip, everyCutAndEveryChangedByteIsAnErrorOrTheSame) {
  for (const ZipWay way : {ZipWay::stored, ZipWay::deflated}) {
    const std::string whole = zipBytes({{"a", text}, {"b", "more"}}, way);
    for (std::size_t length = 0; length < whole.size(); ++length)
      EXPECT_FALSE(readAll(whole.substr(0, length))) << length;
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ 0x55);
      const auto found = readAll(changed);
      if (found && found->size() >= text.size() + 4) {
        EXPECT_EQ(*found, text + "more") << at;
      }
    }
  }
}

TEST_F(Zip, whatIsNotReadIsRefusedByName) {
  std::string bytes = zipBytes({{"a", text}}, ZipWay::stored);
  const std::size_t directory = bytes.find("PK\x01\x02");
  std::string other = bytes;
  other[directory + 10] = 12;  // bzip2
  EXPECT_EQ(refusal(other), ErrorCode::file_type);
  other = bytes;
  other[directory + 8] = 1;  // encrypted
  EXPECT_EQ(refusal(other), ErrorCode::file_type);
  other = bytes;
  other[directory + 16] = static_cast<char>(other[directory + 16] ^ 1);  // the checksum
  EXPECT_EQ(refusal(other), ErrorCode::file_format);
  EXPECT_EQ(refusal("PK\x03\x04 and nothing else"), ErrorCode::file_format);
  EXPECT_EQ(refusal("\x93NUMPY"), ErrorCode::file_format);
}

TEST_F(Zip, aBombIsRefusedBeforeItGoesOff) {
  // 34 bytes that claim to be 4 GB, and two members on one place.
  std::string bomb = zipBytes({{"a", text}}, ZipWay::deflated);
  const std::size_t directory = bomb.find("PK\x01\x02");
  bomb.replace(directory + 24, 4, littleBytes(0xFFFFFFFE, 4));
  EXPECT_EQ(refusal(bomb), ErrorCode::file_format);
  std::string twice = zipBytes({{"a", text}, {"b", text}}, ZipWay::stored);
  const std::size_t second = twice.rfind("PK\x01\x02");
  twice.replace(second + 42, 4, littleBytes(0, 4));
  EXPECT_EQ(refusal(twice), ErrorCode::file_format);
}

TEST_F(Zip, unpackingEndsWhereTheDirectorySays) {
  // The stream goes on, the directory says 3 bytes: no more than these are unpacked, and the checksum tells.
  std::string bytes = zipBytes({{"a", text}}, ZipWay::deflated);
  bytes.replace(bytes.find("PK\x01\x02") + 24, 4, littleBytes(3, 4));
  EXPECT_EQ(refusal(bytes), ErrorCode::file_format);
}

}  // namespace
}  // namespace posiscope::files

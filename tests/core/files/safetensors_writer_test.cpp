// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/safetensors_writer.h"

#include "core/files/reader.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace posiscope::files {
namespace {

TEST(SafetensorsWriter, WritesWhatTheReaderReads) {
  const test::TemporaryFolder folder;
  const std::vector<float> singles{1.5f, -2, 0.1f, 3, 4, 5};
  const std::vector<double> doubles{0.1, -1e300};
  const std::string text = "day";
  ASSERT_TRUE(
      writeSafetensors(folder.file("a.safetensors"),
                       {tensorToWrite<float>("w \"1\"", {2, 3}, singles), tensorToWrite<double>("d", {2}, doubles),
                        tensorToWrite<char>("t", {3}, text), tensorToWrite<float>("empty", {0}, {})}));
  const auto file = Safetensors::open(folder.file("a.safetensors"));
  ASSERT_TRUE(file) << file.error().message.en;
  ASSERT_EQ(file->tensors().size(), 4u);
  EXPECT_EQ(file->tensors()[0].shape, (std::vector<std::int64_t>{2, 3}));
  const auto numbersOf = [&](const char* name) { return *file->read(*file->find(name))->values; };
  EXPECT_EQ(numbersOf("w \"1\""), std::vector<double>(singles.begin(), singles.end()));
  EXPECT_EQ(numbersOf("d"), doubles);
  EXPECT_EQ(numbersOf("t"), (std::vector<double>{'d', 'a', 'y'}));
}

TEST(SafetensorsWriter, LeavesWhatWasThereWhenItCannotWrite) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(writeSafetensors(folder.path() + "/no/such/folder/a.safetensors", {}).error().code, ErrorCode::file_write);
  EXPECT_EQ(folder.listing(), "");
}

}  // namespace
}  // namespace posiscope::files

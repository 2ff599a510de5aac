// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/number_file.h"

#include "core/files/reader.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <gtest/gtest.h>
#include <filesystem>

namespace posiscope::files {
namespace {

using CellValue = std::function<float(std::int64_t row, std::int64_t col)>;

Map map(std::string key, std::int64_t rows, std::int64_t cols, CellValue value) {
  Map made;
  made.key = std::move(key);
  made.rows.symbol = "i";
  made.cols.symbol = "j";
  made.field = computedField(rows, cols, std::move(value));
  return made;
}

float count(std::int64_t row, std::int64_t col) { return static_cast<float>(1000 * row + col) / 7; }

/// Of two sizes, and longer as text than one piece.
Dataset twoMaps() {
  Dataset dataset;
  dataset.maps.push_back(map("a", 300, 900, count));
  dataset.maps.push_back(map("b", 2, 3, count));
  return dataset;
}

TEST(NumberFile, holdsWhatTheWholeTextAndArrayHold) {
  const test::TemporaryFolder folder;
  const Dataset dataset = twoMaps();
  const Job job;
  ASSERT_TRUE(writeNumberFile(folder.file("m.CSV"), dataset, false, job));
  EXPECT_TRUE(folder.read("m.CSV") == csv(dataset));
  EXPECT_GT(folder.read("m.CSV").size(), 2u << 20) << "one piece only";
  EXPECT_EQ(job.progress(), 1);

  ASSERT_TRUE(writeNumberFile(folder.file("said.csv"), dataset, false, Job(), "# of rope\n"));
  EXPECT_TRUE(folder.read("said.csv") == "# of rope\n" + csv(dataset));
  ASSERT_TRUE(writeNumberFile(folder.file("m.npy"), dataset, false, Job()));
  const Expected<Array> array = readNpy(folder.file("m.npy"));
  ASSERT_TRUE(array);
  const Array right = numbers(dataset);
  EXPECT_EQ(array->shape, (std::vector<std::int64_t>{2, 300, 900}));
  ASSERT_EQ(array->size(), right.size());
  for (std::int64_t e = 0; e < right.size(); ++e) {
    if (std::isnan(right.data()[e]))
      EXPECT_TRUE(std::isnan(array->data()[e])) << e;
    else
      EXPECT_EQ(array->data()[e], right.data()[e]) << e;
  }
}

TEST(NumberFile, curvesAndMetricsAreWrittenToo) {
  const test::TemporaryFolder folder;
  Dataset dataset;
  dataset.metrics = {{"entropy", {"entropy", "熵"}, 0.5, "nats"}};
  ASSERT_TRUE(writeNumberFile(folder.file("m.csv"), dataset, false, Job()));
  EXPECT_EQ(folder.read("m.csv"), "metric,value,unit\nentropy,0.5,nats\n");
  ASSERT_TRUE(writeNumberFile(folder.file("m.npy"), dataset, true, Job()));
  EXPECT_EQ(*readNpy(folder.file("m.npy"))->values, (std::vector<double>{0.5}));
}

TEST(NumberFile, stoppedBetweenRowsItLeavesNothingBehind) {
  for (const char* name : {"m.csv", "m.npy"}) {
    const test::TemporaryFolder folder;
    const Job job;
    std::int64_t last = 0;
    Dataset dataset;
    dataset.maps.push_back(map("a", 10, 4, [&](std::int64_t row, std::int64_t) {
      last = row;
      if (row == 5) job.stop();
      return 1.0f;
    }));
    const Outcome written = writeNumberFile(folder.file(name), dataset, false, job);
    ASSERT_FALSE(written) << name;
    EXPECT_EQ(written.error().code, ErrorCode::cancelled);
    EXPECT_FALSE(written.error().message.zh.empty());
    EXPECT_EQ(last, 5) << name;
    EXPECT_EQ(job.progress(), 0.5) << name;
    EXPECT_TRUE(std::filesystem::is_empty(std::filesystem::path(folder.file(name)).parent_path())) << name;
  }
}

}  // namespace
}  // namespace posiscope::files

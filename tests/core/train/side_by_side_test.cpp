// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/side_by_side.h"

#include "core/train/comparison_record.h"
#include "tests/core/train/small_run.h"

#include <filesystem>
#include <map>

namespace posiscope::train {
namespace {

ComparisonSpec smallComparison() {
  ComparisonSpec spec;
  spec.run = smallRun("none", 12);
  spec.positions = {{"none", {}}, {"learned", {}}, {"conditional", {}}};  // the last one needs pictures
  spec.seeds = {1, 2};
  return spec;
}

ComparisonRecord trained(const ComparisonSpec& spec) {
  ComparisonRecord record = emptyRecord(spec);
  ComparisonListener listener;
  listener.advanced = [&](std::size_t number, const TrainingRun& run) { record.runs[number].history = run.history(); };
  listener.snapshot = [&](std::size_t number, std::int64_t step, const Array& attention) {
    EXPECT_TRUE(record.runs[number].attention.emplace(step, attention).second) << step << " was told twice";
  };
  listener.measured = [&](std::size_t number, const Results& results) { record.runs[number].results = results; };
  listener.refused = [&](std::size_t number, const Text& why) { record.runs[number].refused = why; };
  EXPECT_TRUE(trainSideBySide(spec, Job(), {}, listener));
  return record;
}

TEST(SideBySide, GivesTheNumbersOfEachRunAlone) {
  const ComparisonSpec spec = smallComparison();
  const ComparisonRecord record = trained(spec);
  for (const std::size_t position : {0u, 1u})
    for (const std::size_t seed : {0u, 1u}) {
      const RunRecord& found = record.run(position, seed);
      TrainingRun alone = started(spec.runs()[position * 2 + seed]);
      ASSERT_TRUE(trainOn(alone, Job(), {}));
      EXPECT_EQ(toJson(found.history).dump(), toJson(alone.history()).dump());
      ASSERT_TRUE(found.results);
      EXPECT_EQ(found.results->parameters, alone.model().layout().size);
    }
}

TEST(SideBySide, KeepsTheAttentionAtPowersOfTwo) {
  const ComparisonRecord record = trained(smallComparison());
  std::vector<std::int64_t> steps;
  for (const auto& [step, attention] : record.run(1, 1).attention) steps.push_back(step);
  EXPECT_EQ(steps, (std::vector<std::int64_t>{0, 1, 2, 4, 8, 12}));
}

TEST(SideBySide, RefusesOneRunAndTrainsTheOthers) {
  const ComparisonRecord record = trained(smallComparison());
  EXPECT_FALSE(record.run(2, 0).refused.en.empty());
  EXPECT_FALSE(record.run(2, 0).results);
  EXPECT_TRUE(record.run(0, 0).refused.en.empty());
}

TEST(SideBySide, StopsWhenItsJobDoes) {
  Job job;
  std::int64_t steps = 0;
  ComparisonListener listener;
  listener.advanced = [&](std::size_t, const TrainingRun& run) {
    steps += run.step() > 0 ? 1 : 0;
    if (run.step() == 3) job.stop();
  };
  ComparisonSpec spec = smallComparison();
  spec.run.schedule.steps = 1000;
  const Outcome ok = trainSideBySide(spec, job, {}, listener);
  ASSERT_FALSE(ok);
  EXPECT_EQ(ok.error().code, ErrorCode::cancelled);
  EXPECT_LT(steps, 40);
}

TEST(ComparisonRecord, IsReadAsItWasWritten) {
  const ComparisonRecord record = trained(smallComparison());
  const std::string path = ::testing::TempDir() + "posiscope_comparison.safetensors";
  ASSERT_TRUE(writeRecord(record, path));
  const Expected<ComparisonRecord> read = readRecord(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(read) << read.error().message.en;
  EXPECT_EQ(read->spec, record.spec);
  ASSERT_EQ(read->runs.size(), record.runs.size());
  for (std::size_t r = 0; r < record.runs.size(); ++r) {
    EXPECT_EQ(toJson(read->runs[r].history).dump(), toJson(record.runs[r].history).dump());
    EXPECT_EQ(read->runs[r].refused, record.runs[r].refused);
    ASSERT_EQ(read->runs[r].attention.size(), record.runs[r].attention.size());
    for (const auto& [step, attention] : record.runs[r].attention)
      EXPECT_EQ(*read->runs[r].attention.at(step).values, *attention.values);
  }
  EXPECT_EQ(summaryCsv(*read), summaryCsv(record));
}

/// What is passed on: small, and near enough to be drawn.
TEST(ComparisonRecord, HasASmallForm) {
  ComparisonSpec spec = smallComparison();
  spec.run.schedule.steps = 80;
  ComparisonRecord record = trained(spec);
  record.version = "1.2";
  record.date = "2026-01-31";
  const std::string whole = ::testing::TempDir() + "posiscope_whole.safetensors";
  const std::string small = ::testing::TempDir() + "posiscope_small.safetensors";
  ASSERT_TRUE(writeRecord(record, whole));
  ASSERT_TRUE(writeRecord(record, small, RecordForm::compact));
  EXPECT_LT(4 * std::filesystem::file_size(small), std::filesystem::file_size(whole));
  const Expected<ComparisonRecord> read = readRecord(small);
  std::filesystem::remove(whole);
  std::filesystem::remove(small);
  ASSERT_TRUE(read) << read.error().message.en;
  EXPECT_EQ(read->spec, spec);
  EXPECT_EQ(read->version, "1.2");
  EXPECT_EQ(read->date, "2026-01-31");
  const RunRecord& found = read->run(1, 0);
  const RunRecord& made = record.run(1, 0);
  ASSERT_EQ(found.steps(), 80);
  for (std::size_t s = 0; s < 80; ++s)
    EXPECT_NEAR(found.history.steps[s].loss, made.history.steps[s].loss, 5e-4 * made.history.steps[s].loss);
  ASSERT_TRUE(found.results);
  EXPECT_NEAR(found.results->evaluation.loss, made.results->evaluation.loss, 5e-4 * made.results->evaluation.loss);
  std::vector<std::int64_t> steps;
  for (const auto& [step, attention] : found.attention) {
    steps.push_back(step);
    const Array& exact = made.attention.at(step);
    ASSERT_EQ(attention.shape, exact.shape);
    for (std::int64_t i = 0; i < exact.size(); ++i) ASSERT_NEAR(attention.data()[i], exact.data()[i], 0.5001 / 255);
  }
  EXPECT_EQ(steps, (std::vector<std::int64_t>{0, 8, 16, 32, 64, 80}));
  EXPECT_TRUE(read->run(1, 1).attention.empty());
  EXPECT_EQ(read->run(2, 0).refused, record.run(2, 0).refused);
}

TEST(ComparisonRecord, RefusesAnotherFile) {
  const std::string path = ::testing::TempDir() + "posiscope_other.safetensors";
  TrainingRun run = started(smallRun());
  ASSERT_TRUE(trainOn(run, Job(), {}));
  ComparisonRecord record = emptyRecord(smallComparison());
  record.runs.pop_back();  // one run less than its spec asks for
  ASSERT_TRUE(writeRecord(record, path));
  const Expected<ComparisonRecord> read = readRecord(path);
  std::filesystem::remove(path);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::file_format);
}

TEST(ComparisonRecord, TableHasAsManyCellsInEveryLine) {
  const std::string csv = summaryCsv(emptyRecord(smallComparison()));
  std::vector<std::ptrdiff_t> commas;
  for (std::size_t at = 0; at < csv.size();) {
    const std::size_t end = csv.find('\n', at);
    commas.push_back(
        std::count(csv.begin() + static_cast<std::ptrdiff_t>(at), csv.begin() + static_cast<std::ptrdiff_t>(end), ','));
    at = end + 1;
  }
  ASSERT_EQ(commas.size(), 7u);
  for (const std::ptrdiff_t count : commas) EXPECT_EQ(count, commas.front());
}

}  // namespace
}  // namespace posiscope::train

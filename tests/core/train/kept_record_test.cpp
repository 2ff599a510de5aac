// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the folder of a comparison holds is read without training.
#include "core/train/kept_record.h"

#include "core/train/side_by_side.h"
#include "tests/core/train/small_run.h"
#include "tests/support/temporary_folder.h"

namespace posiscope::train {
namespace {

/// What the trainer told, until `steps` were trained.
ComparisonRecord trained(const ComparisonSpec& spec, const std::string& folder, std::int64_t steps) {
  ComparisonRecord record = emptyRecord(spec);
  const Job job;
  std::int64_t done = 0;
  ComparisonListener listener;
  listener.advanced = [&](std::size_t number, const TrainingRun& run) {
    done += run.step() - record.runs[number].steps();
    record.runs[number].history = run.history();
    record.runs[number].parameters = run.model().layout().size;
    record.runs[number].position_parameters = run.model().layout().positionSize();
    if (done >= steps) job.stop();
  };
  listener.snapshot = [&](std::size_t number, std::int64_t step, const Array& attention) {
    record.runs[number].attention.emplace(step, attention);
  };
  listener.measured = [&](std::size_t number, const Results& results) { record.runs[number].results = results; };
  SideBySideOptions options;
  options.folder = folder;
  const Outcome ok = trainSideBySide(spec, job, options, listener);
  EXPECT_EQ(ok.has_value(), !job.stopped());
  return record;
}

void expectSame(const ComparisonRecord& found, const ComparisonRecord& told) {
  EXPECT_EQ(found.spec, told.spec);
  ASSERT_EQ(found.runs.size(), told.runs.size());
  for (std::size_t r = 0; r < told.runs.size(); ++r) {
    const RunRecord &a = found.runs[r], &b = told.runs[r];
    EXPECT_EQ(toJson(a.history).dump(), toJson(b.history).dump()) << r;
    EXPECT_EQ(a.parameters, b.parameters) << r;
    EXPECT_EQ(a.position_parameters, b.position_parameters) << r;
    ASSERT_EQ(a.attention.size(), b.attention.size()) << r;
    for (const auto& [step, attention] : b.attention) {
      ASSERT_TRUE(a.attention.contains(step)) << step;
      EXPECT_EQ(*a.attention.at(step).values, *attention.values) << r << ", step " << step;
    }
    ASSERT_EQ(a.results.has_value(), b.results.has_value()) << r;
    if (!a.results) continue;
    EXPECT_EQ(a.results->evaluation.loss, b.results->evaluation.loss) << r;
  }
}

TEST(KeptRecord, IsWhatWasTrainedUntilTheStop) {
  const test::TemporaryFolder folder;
  const ComparisonSpec spec = smallComparison(100);
  const ComparisonRecord told = trained(spec, folder.path(), 33);
  const Expected<ComparisonRecord> found = readKept(spec, folder.path());
  ASSERT_TRUE(found) << found.error().message.en;
  EXPECT_GT(found->run(0, 0).steps(), 0);
  EXPECT_FALSE(found->run(0, 0).attention.empty());
  EXPECT_EQ(found->run(0, 1).steps(), 0) << "the second seed had not begun";
  EXPECT_EQ(found->run(0, 1).parameters, 0);
  expectSame(*found, told);
}

TEST(KeptRecord, HoldsResultsOfWhatWasMeasured) {
  const test::TemporaryFolder folder;
  const ComparisonSpec spec = smallComparison(6);
  const ComparisonRecord told = trained(spec, folder.path(), 1000);
  const Expected<ComparisonRecord> found = readKept(spec, folder.path());
  ASSERT_TRUE(found);
  for (const RunRecord& run : found->runs) EXPECT_TRUE(run.results);
  expectSame(*found, told);
}

TEST(KeptRecord, IsEmptyWhereAnotherComparisonWasTrained) {
  const test::TemporaryFolder folder;
  trained(smallComparison(6), folder.path(), 1000);
  const Expected<ComparisonRecord> found = readKept(smallComparison(7), folder.path());
  ASSERT_TRUE(found);
  for (const RunRecord& run : found->runs) {
    EXPECT_EQ(run.steps(), 0);
    EXPECT_TRUE(run.attention.empty());
    EXPECT_FALSE(run.results);
  }
}

TEST(KeptRecord, EndsWithItsJob) {
  const test::TemporaryFolder folder;
  const Job job;
  job.stop();
  const Expected<ComparisonRecord> found = readKept(smallComparison(6), folder.path(), job);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace posiscope::train

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/kept_record.h"

#include "core/train/checkpoint.h"
#include "core/train/run_folder.h"
#include "core/train/side_by_side.h"

#include <filesystem>

namespace posiscope::train {
namespace {

void read(RunRecord& record, const std::string& folder) {
  // A fresh run in its place costs as much memory as one that is trained, and tells nothing.
  if (!std::filesystem::exists(checkpointPath(folder))) return;
  const Expected<TrainingRun> run = runOfFolder(record.spec, folder);
  if (!run || run->step() == 0) return;
  record.parameters = run->model().layout().size;
  record.position_parameters = run->model().layout().positionSize();
  record.history = run->history();
  record.attention = keptSnapshots(folder, run->step());
  record.results = keptResults(*run, folder);
}

}  // namespace

Expected<ComparisonRecord> readKept(const ComparisonSpec& spec, const std::string& folder, const Job& job) {
  ComparisonRecord record = emptyRecord(spec);
  for (std::size_t number = 0; number < record.runs.size(); ++number) {
    if (job.stopped()) return fail(ErrorCode::cancelled, "train: cancelled", "训练：已取消");
    read(record.runs[number], runFolder(folder, record.runs[number].spec, number));
  }
  return record;
}

}  // namespace posiscope::train

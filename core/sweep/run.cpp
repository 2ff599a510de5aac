// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/run.h"

#include "core/dataset_pieces.h"
#include "core/files/number_file.h"
#include "core/steps.h"
#include "core/sweep/listing.h"
#include "core/sweep/record.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace posiscope::sweep {
namespace {

/// Is the error an answer about this point of the grid? The others stop the run: another time there may be an answer.
bool isAnswer(ErrorCode code) {
  constexpr std::array answers{ErrorCode::bad_value,    ErrorCode::out_of_range, ErrorCode::bad_shape,
                               ErrorCode::too_large,    ErrorCode::not_defined,  ErrorCode::past_table,
                               ErrorCode::not_supported};
  return std::ranges::find(answers, code) != answers.end();
}

Expected<std::shared_ptr<const Dataset>> answerOf(const Item& item, const Job& job) {
  if (const Outcome ok = checkExperiment(item.experiment); !ok) return fail(ok.error());
  const Expected<std::shared_ptr<const Result>> result = compute({item.experiment, {item.measure}}, job);
  if (!result) return fail(result.error());
  return (*result)->answers.front().front().dataset;
}

/// The array first, then the record that says it is there.
Outcome write(const Item& item, const Dataset& dataset, Arrays arrays, const std::string& folder, const Job& job,
              Record& record) {
  record.scope = dataset.scope.en;
  if (arrays != Arrays::none) {
    const std::string path = arrayPath(folder, item.key);
    if (Outcome ok = files::writeNumberFile(path, dataset, arrays == Arrays::single, job); !ok) return ok;
    record.array_bytes = std::filesystem::file_size(path);
  }
  record.quantities = quantitiesOf(dataset);
  return {};
}

/// Computes one item and writes it. The answer is its reason to have no numbers.
Expected<std::string> finish(const Item& item, Arrays arrays, const std::string& folder, const Job& job) {
  Record record;
  record.question = item.question;
  const Expected<std::shared_ptr<const Dataset>> dataset = answerOf(item, job.part(0, 0.7));
  Outcome ok;
  if (!dataset)
    ok = fail(dataset.error());
  else if (!(*dataset)->nothing.en.empty())
    record.reason = (*dataset)->nothing.en;
  else
    ok = write(item, **dataset, arrays, folder, job.part(0.7, 1), record);
  if (!ok && !isAnswer(ok.error().code)) return fail(ok.error());
  if (!ok) record.reason = ok.error().message.en;
  std::error_code none;
  if (!record.array_bytes) std::filesystem::remove(arrayPath(folder, item.key), none);  // of a run that broke off
  if (Outcome written = writeRecord(folder, item.key, record); !written) return fail(written.error());
  return record.reason;
}

Outcome makeFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder + "/items", error);
  if (!error) return {};
  return fail(ErrorCode::file_write, join(folder, " must be a folder that can be written to, got: ", error.message()),
              join(folder, " 必须是可写的文件夹，得到：", error.message()));
}

}  // namespace

Expected<Tally> run(const Sweep& sweep, const Shard& shard, const std::string& folder, const Job& job,
                    const Tell& tell) {
  if (Outcome ok = makeFolder(folder); !ok) return fail(ok.error());
  const Listing listing = listingOf(sweep);
  if (Outcome ok = writeListing(folder, listing); !ok) return fail(ok.error());
  const std::vector<std::size_t> mine = itemsOf(sweep, shard);
  Tally tally;
  tally.items = mine.size();
  Steps steps(job, mine.size());
  for (std::size_t n = 0; n < mine.size(); ++n) {
    const Item& item = sweep.items[mine[n]];
    const Job part = steps.next();
    if (job.stopped()) return fail(ErrorCode::cancelled, "the sweep was stopped", "扫描已停止");
    Step step{n + 1, mine.size(), &item, false, {}};
    const std::optional<Record> known = findRecord(folder, item.key);
    step.found = known && known->question == item.question;
    Expected<std::string> reason = step.found ? known->reason : finish(item, sweep.arrays, folder, part);
    if (!reason) return fail(reason.error());
    step.reason = *std::move(reason);
    tally.found += step.found ? 1 : 0;
    tally.without += step.reason.empty() ? 0 : 1;
    if (tally.first_reason.empty()) tally.first_reason = step.reason;
    part.setProgress(1);
    if (tell) tell(step);
  }
  if (shard.count == 1)
    if (Outcome ok = writeSummary(folder, listing, Job()); !ok) return fail(ok.error());
  return tally;
}

}  // namespace posiscope::sweep

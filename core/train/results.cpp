// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/results.h"

#include "core/train/results_json.h"
#include "core/train/run_spec_json.h"
#include "core/train/shuffled_positions.h"

#include <algorithm>

namespace posiscope::train {
namespace {

using nlohmann::ordered_json;

/// Examples that are run one by one, with positions of their own.
constexpr std::int64_t most_shuffled = 64;

/// The longest ones cost as much as all others together.
Outcome measureLonger(TrainingRun& run, Results& results, const Job& job) {
  const RunSpec& spec = run.spec();
  results.lengths = lengthCurve(run.model(), run.task(), spec.task, spec.data_seed, spec.schedule.evaluate_count,
                                job.part(0, spec.fine_tune.steps > 0 ? 0.5 : 1));
  if (job.stopped()) return fail(ErrorCode::cancelled, "train: cancelled", "训练：已取消");
  Expected<std::vector<FineTuneCurve>> tuned = fineTune(run, job.part(0.5, 1));
  if (!tuned) return fail(tuned.error());
  results.fine_tune = *std::move(tuned);
  return {};
}

Outcome measureProbes(TrainingRun& run, const std::string& folder, Results& results, const Job& job) {
  const RunSpec& spec = run.spec();
  const std::int64_t count = spec.schedule.evaluate_count;
  const TaskSize size = sizeOf(spec.task);
  const Expected<RidgeProbe::Score> probe =
      indexProbe(run.model(), run.task(), spec.task, spec.data_seed, count, size, job);
  if (!probe) return fail(probe.error());
  results.index_probe = *probe;
  Expected<Evaluation> bare = withoutPosition(run.model(), run.task(), spec.task, spec.data_seed, count, size, job);
  if (!bare) return fail(bare.error());
  results.without_position = *std::move(bare);
  if (folder.empty()) return {};
  Expected<Evaluation> shuffled =
      withShuffledPositions(folder, run.task(), spec.task, spec.data_seed, std::min(count, most_shuffled), size, job);
  if (shuffled)
    results.shuffled_positions = *std::move(shuffled);
  else if (shuffled.error().code == ErrorCode::cancelled)
    return fail(shuffled.error());
  else
    results.shuffled_refused = shuffled.error().message;
  return {};
}

}  // namespace

Expected<Results> measure(TrainingRun& run, const Job& job, const std::string& folder) {
  const RunSpec& spec = run.spec();
  Results results;
  Expected<Evaluation> plain = evaluate(run.model(), run.task(), spec.task, spec.data_seed,
                                        spec.schedule.evaluate_count, sizeOf(spec.task), job);
  if (!plain) return fail(plain.error());
  results.evaluation = *std::move(plain);
  if (Outcome ok = measureLonger(run, results, job.part(0.1, 0.7)); !ok) return fail(ok.error());
  if (Outcome ok = measureProbes(run, folder, results, job.part(0.7, 1)); !ok) return fail(ok.error());
  if (job.stopped()) return fail(ErrorCode::cancelled, "train: cancelled", "训练：已取消");
  results.parameters = run.model().layout().size;
  results.position_parameters = run.model().layout().positionSize();
  return results;
}

ordered_json toJson(const TrainingRun& run, const Results& results) {
  ordered_json root{{"run", toJson(run.spec())}, {"steps_done", run.step()}};
  root.update(toJson(results));
  root["history"] = toJson(run.history());
  return root;
}

const char* const summary_columns =
    "scheme,seed,steps,parameters,position_parameters,loss,accuracy,loss_2x,loss_4x,loss_8x,index_r2,index_hit,"
    "loss_without_position,accuracy_without_position,loss_shuffled_positions,accuracy_shuffled_positions";

std::string summaryLine(const TrainingRun& run, const Results& results) {
  return summaryLine(run.spec(), run.step(), results);
}

std::string summaryLine(const RunSpec& spec, std::int64_t steps_done, const Results& results) {
  const auto lossAt = [&](double factor) -> std::string {
    for (const LengthPoint& p : results.lengths)
      if (p.factor == factor && p.scaling == "none") return p.found ? join(p.found->loss) : "";
    return "";
  };
  const auto& found = results.shuffled_positions;
  const std::string shuffled = found ? join(found->loss, ",", found->accuracy) : ",";
  return join(spec.model.position.scheme, ",", spec.seed, ",", steps_done, ",", results.parameters, ",",
              results.position_parameters, ",", results.evaluation.loss, ",", results.evaluation.accuracy, ",",
              lossAt(2), ",", lossAt(4), ",", lossAt(8), ",", results.index_probe.r2, ",", results.index_probe.hit, ",",
              results.without_position.loss, ",", results.without_position.accuracy, ",", shuffled);
}

}  // namespace posiscope::train

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/results.h"

#include "core/steps.h"
#include "core/train/run_spec_json.h"

#include <cmath>

namespace posiscope::train {
namespace {

using nlohmann::ordered_json;

ordered_json numberOrNull(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(); }

ordered_json evaluationJson(const Evaluation& e) {
  ordered_json by_position = ordered_json::array();
  for (const double loss : e.by_position) by_position.push_back(numberOrNull(loss));
  return {{"length", e.length},
          {"loss", numberOrNull(e.loss)},
          {"accuracy", e.accuracy},
          {"last_eighth_loss", numberOrNull(e.last_eighth)},
          {"loss_by_position", by_position}};
}

}  // namespace

Expected<Results> measure(TrainingRun& run, const Job& job) {
  const RunSpec& spec = run.spec();
  const std::int64_t count = spec.schedule.evaluate_count;
  const TaskSize size = sizeOf(spec.task);
  const auto stopped = [] { return fail(ErrorCode::cancelled, "train: cancelled", "训练：已取消"); };
  Results results;
  Steps steps(job, 4);
  steps.next();
  Expected<Evaluation> plain = evaluate(run.model(), run.task(), spec.task, spec.data_seed, count, size);
  if (!plain) return fail(plain.error());
  results.evaluation = std::move(*plain);
  if (job.stopped()) return stopped();
  steps.next();
  results.lengths = lengthCurve(run.model(), run.task(), spec.task, spec.data_seed, count);
  if (job.stopped()) return stopped();
  steps.next();
  const Expected<RidgeProbe::Score> probe = indexProbe(run.model(), run.task(), spec.task, spec.data_seed, count, size);
  if (!probe) return fail(probe.error());
  results.index_probe = *probe;
  steps.next();
  Expected<Evaluation> bare = withoutPosition(run.model(), run.task(), spec.task, spec.data_seed, count, size);
  if (!bare) return fail(bare.error());
  results.without_position = std::move(*bare);
  results.parameters = run.model().layout().size;
  results.position_parameters = run.model().layout().positionSize();
  return results;
}

ordered_json toJson(const TrainingRun& run, const Results& results) {
  ordered_json lengths = ordered_json::array();
  for (const LengthPoint& point : results.lengths) {
    ordered_json entry{{"factor", point.factor}, {"scaling", point.scaling}};
    if (point.found)
      entry.update(evaluationJson(*point.found));
    else
      entry["refused"] = point.refused.en;
    lengths.push_back(std::move(entry));
  }
  return {{"run", toJson(run.spec())},
          {"steps_done", run.step()},
          {"parameters", results.parameters},
          {"position_parameters", results.position_parameters},
          {"evaluation", evaluationJson(results.evaluation)},
          {"lengths", lengths},
          {"index_probe", {{"r2", numberOrNull(results.index_probe.r2)}, {"hit", results.index_probe.hit}}},
          {"without_position", evaluationJson(results.without_position)},
          {"history", toJson(run.history())}};
}

const char* const summary_columns =
    "scheme,seed,steps,parameters,position_parameters,loss,accuracy,loss_2x,loss_4x,loss_8x,index_r2,index_hit,"
    "loss_without_position,accuracy_without_position";

std::string summaryLine(const TrainingRun& run, const Results& results) {
  const auto lossAt = [&](double factor) -> std::string {
    for (const LengthPoint& p : results.lengths)
      if (p.factor == factor && p.scaling == "none") return p.found ? join(p.found->loss) : "";
    return "";
  };
  return join(run.spec().model.position.scheme, ",", run.spec().seed, ",", run.step(), ",", results.parameters, ",",
              results.position_parameters, ",", results.evaluation.loss, ",", results.evaluation.accuracy, ",",
              lossAt(2), ",", lossAt(4), ",", lossAt(8), ",", results.index_probe.r2, ",", results.index_probe.hit, ",",
              results.without_position.loss, ",", results.without_position.accuracy);
}

}  // namespace posiscope::train

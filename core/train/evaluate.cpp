// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/evaluate.h"

#include "core/train/stretch.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

namespace posiscope::train {
namespace {

/// Sequences of one forward pass: about as many rows as a step has.
std::int64_t sequencesAtOnce(std::int64_t length) { return std::max<std::int64_t>(1, 2048 / length); }

/// Of the trained length.
constexpr std::array length_factors{1.0, 1.5, 2.0, 4.0, 8.0};

/// Sums of positions over batches.
class PositionSums {
 public:
  explicit PositionSums(std::int64_t length)
      : losses_(static_cast<std::size_t>(length)), counts_(static_cast<std::size_t>(length)) {}

  void add(const Batch& batch, std::span<const double> row_losses) {
    for (std::size_t r = 0; r < row_losses.size(); ++r) {
      losses_[r % losses_.size()] += row_losses[r];
      counts_[r % losses_.size()] += batch.targets[r] >= 0 ? 1 : 0;
    }
  }
  double mean(std::size_t begin) const {
    double loss = 0, count = 0;
    for (std::size_t i = begin; i < losses_.size(); ++i) {
      loss += losses_[i];
      count += counts_[i];
    }
    return loss / count;
  }
  std::vector<double> means() const {
    std::vector<double> all;
    for (std::size_t i = 0; i < losses_.size(); ++i) all.push_back(losses_[i] / counts_[i]);  // 0/0: NaN
    return all;
  }

 private:
  std::vector<double> losses_, counts_;
};

}  // namespace

Expected<Evaluation> evaluate(Model<float>& model, const Task& task, const TaskSpec& spec, std::uint64_t seed,
                              std::int64_t count, const TaskSize& size, const Job& job) {
  if (Outcome ok = task.check(size, Split::evaluation); !ok) return fail(ok.error());
  Evaluation result;
  result.length = task.tokens(size);
  PositionSums sums(result.length);
  std::int64_t counted = 0, right = 0;
  Batch batch;
  const std::int64_t at_once = sequencesAtOnce(result.length);
  for (std::int64_t first = 0; first < count; first += at_once) {
    if (job.stopped()) return fail(ErrorCode::cancelled, "train: cancelled", "训练：已取消");
    fillBatch(task, spec, Split::evaluation, seed, first, std::min(at_once, count - first), size, batch);
    if (Outcome ok = model.forward(batch); !ok) return fail(ok.error());
    const BatchLoss loss = model.loss(batch);
    counted += loss.counted;
    right += loss.right;
    sums.add(batch, model.rowLosses());
  }
  result.loss = counted > 0 ? sums.mean(0) : 0;
  result.accuracy = counted > 0 ? static_cast<double>(right) / static_cast<double>(counted) : 0;
  result.last_eighth = sums.mean(static_cast<std::size_t>(result.length - (result.length + 7) / 8));
  result.by_position = sums.means();
  return result;
}

std::vector<LengthPoint> lengthCurve(Model<float>& model, const Task& task, const TaskSpec& spec, std::uint64_t seed,
                                     std::int64_t count, const Job& job) {
  std::vector<LengthPoint> curve;
  const PositionSpec plain = model.spec().position;
  const std::int64_t trained = task.tokens(sizeOf(spec));
  double tokens = 0;  // so far, in units of the trained length
  for (const double factor : length_factors) {
    for (const Stretch& stretch : stretches(plain, factor, trained)) {
      LengthPoint point{factor, stretch.scaling, std::nullopt, {}};
      Outcome ok = model.setPosition(stretch.position);
      if (ok) {
        Expected<Evaluation> found = evaluate(model, task, spec, seed, count, lengthenedSize(spec, factor), job);
        if (found)
          point.found = std::move(*found);
        else
          ok = fail(found.error());
      }
      if (job.stopped()) break;
      if (!ok) point.refused = ok.error().message;
      curve.push_back(std::move(point));
    }
    tokens += factor;
    job.setProgress(tokens / std::accumulate(length_factors.begin(), length_factors.end(), 0.0));
  }
  // The same constants once fitted the parameters.
  if (!model.setPosition(plain)) assert(false);
  return curve;
}

}  // namespace posiscope::train

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/probes.h"

#include <algorithm>

namespace posiscope::train {

Expected<RidgeProbe::Score> indexProbe(Model<float>& model, const Task& task, const TaskSpec& spec, std::uint64_t seed,
                                       std::int64_t count, const TaskSize& size, const Job& job) {
  if (Outcome ok = task.check(size, Split::evaluation); !ok) return fail(ok.error());
  // Rows enough for a regression; more of them only cost memory.
  const std::int64_t half = std::clamp<std::int64_t>(count / 2, 1, std::max<std::int64_t>(1, 4096 / task.tokens(size)));
  RidgeProbe probe;
  for (const std::int64_t first : {std::int64_t{0}, half}) {
    if (job.stopped()) return fail(ErrorCode::cancelled, "train: cancelled", "训练：已取消");
    const Batch batch = makeBatch(task, spec, Split::evaluation, seed, first, half, size);
    if (Outcome ok = model.forward(batch); !ok) return fail(ok.error());
    const std::vector<double> rows(model.hidden().begin(), model.hidden().end());
    std::vector<double> indices;
    for (std::int64_t r = 0; r < batch.rows(); ++r) indices.push_back(static_cast<double>(r % batch.length));
    if (first > 0) return probe.judge(rows, indices);
    probe.add(rows, model.spec().d_model, indices);
    probe.fit();
  }
  return RidgeProbe::Score{};
}

Expected<Evaluation> withoutPosition(const Model<float>& model, const Task& task, const TaskSpec& spec,
                                     std::uint64_t seed, std::int64_t count, const TaskSize& size, const Job& job) {
  ModelSpec bare = model.spec();
  bare.position = {};
  Expected<Model<float>> without = Model<float>::create(bare);
  if (!without) return fail(without.error());
  std::copy_n(model.parameters().begin(), without->parameters().size(), without->parameters().begin());
  return evaluate(*without, task, spec, seed, count, size, job);
}

}  // namespace posiscope::train

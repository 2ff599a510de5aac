// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/guesses.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace posiscope::train {
namespace {

std::int64_t answers(const TaskSpec& spec, const Task& task) {
  switch (spec.kind) {
    case TaskKind::copy:
    case TaskKind::sort:
    case TaskKind::reverse:
    case TaskKind::induction:
    case TaskKind::retrieval: return spec.symbols;
    case TaskKind::modular: return spec.modulus;
    case TaskKind::image: return spec.target == ImageTarget::below ? spec.symbols : spec.grid_height * spec.grid_width;
    case TaskKind::brackets:
    case TaskKind::index:
    case TaskKind::text: break;
  }
  return task.classes();
}

}  // namespace

Guess chanceGuess(const TaskSpec& spec, const Task& task) {
  const auto count = static_cast<double>(answers(spec, task));
  return {1 / count, std::log(count)};
}

std::optional<Guess> orderBlindGuess(const TaskSpec& spec, bool causal, const Task& task, std::uint64_t data_seed,
                                     std::int64_t count) {
  const bool repeats = spec.kind == TaskKind::copy || spec.kind == TaskKind::sort || spec.kind == TaskKind::reverse;
  if (!repeats || causal) return std::nullopt;
  const Batch batch = makeBatch(task, spec, Split::evaluation, data_seed, 0, count, sizeOf(spec));
  Guess guess;
  for (std::int64_t s = 0; s < batch.sequences; ++s) {
    std::map<std::int32_t, double> bag;
    double size = 0;
    for (std::int64_t t = 0; t < batch.length; ++t) {
      const std::int32_t answer = batch.targets[static_cast<std::size_t>(s * batch.length + t)];
      if (answer < 0) continue;
      bag[answer] += 1;
      size += 1;
    }
    double most = 0;
    for (const auto& [symbol, times] : bag) {
      most = std::max(most, times);
      guess.loss -= times / size * std::log(times / size);
    }
    guess.accuracy += most / size;
  }
  guess.accuracy /= static_cast<double>(batch.sequences);
  guess.loss /= static_cast<double>(batch.sequences);
  return guess;
}

}  // namespace posiscope::train

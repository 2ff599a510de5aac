// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/shuffled_positions.h"

#include "core/random.h"
#include "core/train/metrics/position_losses.h"
#include "core/transformers/forward.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace posiscope::train {
namespace {

/// places[i]: the position that token i is told.
std::vector<std::size_t> dealtPositions(std::uint64_t seed, std::int64_t example, std::int64_t length) {
  const Stream stream(seed, "probe/shuffle");
  std::vector<std::size_t> places(static_cast<std::size_t>(length));
  std::iota(places.begin(), places.end(), std::size_t{0});
  for (std::size_t i = places.size(); i-- > 1;)
    std::swap(places[i], places[stream.below(i + 1, static_cast<std::uint64_t>(example), i)]);
  return places;
}

/// Token i looks at those up to i in the order they were said, wherever they stand now.
std::vector<std::uint8_t> laterTokens(const std::vector<std::size_t>& places) {
  const std::size_t length = places.size();
  std::vector<std::uint8_t> blocked(length * length);
  for (std::size_t i = 0; i < length; ++i)
    for (std::size_t j = i + 1; j < length; ++j) blocked[places[i] * length + places[j]] = 1;
  return blocked;
}

double lossOf(std::span<const float> logits, std::int32_t target) {
  const double top = *std::ranges::max_element(logits);
  double sum = 0;
  for (const float z : logits) sum += std::exp(static_cast<double>(z) - top);
  return std::log(sum) + top - static_cast<double>(logits[static_cast<std::size_t>(target)]);
}

/// Everything that is known of the examples so far; row r is token r % length of its example.
struct Counted {
  Batch targets;
  std::vector<double> losses;
  double right = 0;
};

Outcome addExample(transformers::Model& model, const Batch& batch, const std::vector<std::size_t>& places, bool causal,
                   Counted& counted, const Job& job) {
  transformers::Prompt prompt;
  prompt.tokens.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) prompt.tokens[places[i]] = batch.tokens[i];
  model.mask.causal = false;
  model.mask.blocked = causal ? laterTokens(places) : std::vector<std::uint8_t>{};
  transformers::Wanted wanted;
  wanted.logits = true;
  const Expected<transformers::Trace<float>> trace = transformers::run<float>(model, prompt, wanted, job);
  if (!trace) return fail(trace.error());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::int32_t target = batch.targets[i];
    const std::span<const float> logits = trace->logits.row(static_cast<std::int64_t>(places[i]));
    counted.targets.targets.push_back(target);
    counted.losses.push_back(target < 0 ? 0 : lossOf(logits, target));
    counted.right += target >= 0 && std::ranges::max_element(logits) - logits.begin() == target ? 1 : 0;
  }
  return {};
}

Evaluation meansOf(const Counted& counted, std::int64_t length) {
  Evaluation e{length, 0, 0, 0, positionLosses(counted.targets, counted.losses)};
  double all = 0, last = 0, last_count = 0;
  const std::int64_t tail = length - (length + 7) / 8;
  for (std::size_t r = 0; r < counted.losses.size(); ++r) {
    if (counted.targets.targets[r] < 0) continue;
    ++all;
    e.loss += counted.losses[r];
    if (static_cast<std::int64_t>(r) % length < tail) continue;
    ++last_count;
    last += counted.losses[r];
  }
  e.loss = all > 0 ? e.loss / all : 0;
  e.accuracy = all > 0 ? counted.right / all : 0;
  e.last_eighth = last / last_count;  // 0/0: NaN
  return e;
}

}  // namespace

Expected<Evaluation> withShuffledPositions(const std::string& folder, const Task& task, const TaskSpec& spec,
                                           std::uint64_t seed, std::int64_t count, const TaskSize& size,
                                           const Job& job) {
  if (Outcome ok = task.check(size, Split::evaluation); !ok) return fail(ok.error());
  Expected<transformers::Model> model = transformers::openModel(folder, job);
  if (!model) return fail(model.error());
  const bool causal = model->mask.causal;
  if (causal && model->scheme.id == "dynamic")
    return fail(ErrorCode::not_supported,
                "dynamic: its windows follow the positions, so that with shuffled ones a decoder would see its answer",
                "dynamic：其窗口随位置而定，打乱位置会让解码器看到答案");
  if (size.grid) {
    model->shape.grid_height = size.grid->height;
    model->shape.grid_width = size.grid->width;
  }
  Counted counted;
  counted.targets.length = task.tokens(size);
  counted.targets.sequences = count;
  for (std::int64_t example = 0; example < count; ++example) {
    const Batch batch = makeBatch(task, spec, Split::evaluation, seed, example, 1, size);
    const Job part = job.part(static_cast<double>(example) / static_cast<double>(count),
                              static_cast<double>(example + 1) / static_cast<double>(count));
    const std::vector<std::size_t> places = dealtPositions(seed, example, batch.length);
    if (Outcome ok = addExample(*model, batch, places, causal, counted, part); !ok) return fail(ok.error());
  }
  return meansOf(counted, counted.targets.length);
}

}  // namespace posiscope::train

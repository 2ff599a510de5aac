// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/task.h"

#include "core/train/tasks/list.h"

#include <algorithm>

namespace posiscope::train {
namespace {

std::string streamName(const TaskSpec& spec, Split split) {
  const std::vector<Choice>& names = taskTable().specs().front().choices;
  return (split == Split::train ? "train/" : "eval/") + names.at(static_cast<std::size_t>(spec.kind)).key;
}

}  // namespace

Expected<std::shared_ptr<const Task>> makeTask(const TaskSpec& spec, bool causal) {
  if (spec.low > spec.high && (spec.kind == TaskKind::induction || spec.kind == TaskKind::retrieval))
    return fail(ErrorCode::out_of_range, join("train: low must be at most high ", spec.high, ", got ", spec.low),
                join("train：low 不能超过 high ", spec.high, "，得到 ", spec.low));
  switch (spec.kind) {
    case TaskKind::copy:
    case TaskKind::sort:
    case TaskKind::reverse: return tasks::repetition(spec, causal);
    case TaskKind::induction: return tasks::induction(spec);
    case TaskKind::retrieval: return tasks::retrieval(spec);
    case TaskKind::modular: return tasks::modular(spec);
    case TaskKind::brackets: return tasks::brackets(spec);
    case TaskKind::index: return tasks::indexProbe(spec);
    case TaskKind::image: return tasks::image(spec);
    case TaskKind::text: return tasks::text(spec);
  }
  return nullptr;
}

TaskSize sizeOf(const TaskSpec& spec) {
  if (spec.kind != TaskKind::image) return {spec.kind == TaskKind::modular ? 3 : spec.length};
  return {0, Grid{spec.grid_height, spec.grid_width}};
}

std::optional<TaskSize> sizeOfTokens(const Task& task, const TaskSpec& spec, std::int64_t count) {
  std::vector<TaskSize> possible;
  if (spec.kind == TaskKind::image)
    possible = {{0, Grid{count / spec.grid_width, spec.grid_width}}};
  else if (spec.kind == TaskKind::modular)
    possible = {sizeOf(spec)};
  else
    possible = {{count}, {count / 2}};  // copy, sort and reverse count the symbols of one half
  for (const TaskSize& size : possible)
    if (task.tokens(size) == count && (size.length > 0 || size.grid) && task.check(size, Split::evaluation))
      return size;
  return std::nullopt;
}

bool predictsNextToken(const TaskSpec& spec, bool causal) {
  switch (spec.kind) {
    case TaskKind::copy:
    case TaskKind::sort:
    case TaskKind::reverse: return causal;
    case TaskKind::induction:
    case TaskKind::text: return true;
    default: return false;
  }
}

void fillBatch(const Task& task, const TaskSpec& spec, Split split, std::uint64_t seed, std::int64_t first,
               std::int64_t count, const TaskSize& size, Batch& batch) {
  const Stream stream(seed, streamName(spec, split));
  batch.sequences = count;
  batch.length = task.tokens(size);
  batch.grid = size.grid;
  batch.tokens.resize(static_cast<std::size_t>(batch.rows()));
  batch.targets.resize(batch.tokens.size());
  const auto length = static_cast<std::size_t>(batch.length);
  for (std::size_t b = 0; b < static_cast<std::size_t>(count); ++b)
    task.fill(split, Draws(stream, static_cast<std::uint64_t>(first) + b), size,
              std::span(batch.tokens).subspan(b * length, length),
              std::span(batch.targets).subspan(b * length, length));
}

Batch makeBatch(const Task& task, const TaskSpec& spec, Split split, std::uint64_t seed, std::int64_t first,
                std::int64_t count, const TaskSize& size) {
  Batch batch;
  fillBatch(task, spec, split, seed, first, count, size, batch);
  return batch;
}

}  // namespace posiscope::train

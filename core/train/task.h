// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/random.h"
#include "core/train/batch.h"
#include "core/train/task_spec.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace posiscope::train {

enum class Split { train, evaluation };

/// The draws of one example, one after the other.
class Draws {
 public:
  Draws(const Stream& stream, std::uint64_t example) : stream_(stream), example_(example) {}
  std::int64_t below(std::int64_t m) {
    return static_cast<std::int64_t>(stream_.below(static_cast<std::uint64_t>(m), example_, next_++));
  }

 private:
  const Stream& stream_;
  std::uint64_t example_;
  std::uint64_t next_ = 0;
};

/// How long a sequence is to be: `length` in the task's own measure, or a grid.
struct TaskSize {
  std::int64_t length = 0;
  std::optional<Grid> grid = {};
};

/// A source of examples without end (or a file's). Any example can be made alone, in any order.
class Task {
 public:
  virtual ~Task() = default;
  virtual std::int64_t vocab() const = 0;
  virtual std::int64_t classes() const { return vocab(); }
  /// What people read for a token; no two tokens have the same.
  virtual std::string label(std::int64_t token) const { return std::to_string(token); }
  /// Tokens of a sequence of that size.
  virtual std::int64_t tokens(const TaskSize& size) const { return size.grid ? size.grid->patches() : size.length; }
  /// Can there be examples of that size? Errors: out_of_range, bad_shape.
  virtual Outcome check(const TaskSize&, Split) const { return {}; }
  virtual void fill(Split split, Draws draws, const TaskSize& size, std::span<std::int32_t> tokens,
                    std::span<std::int32_t> targets) const = 0;
};

/// `causal`: whether copy, sort and reverse are set for a decoder. Errors: out_of_range; those of reading the text.
Expected<std::shared_ptr<const Task>> makeTask(const TaskSpec& spec, bool causal);

/// The size a spec asks for.
TaskSize sizeOf(const TaskSpec& spec);

/// The size that has so many tokens: for grids with the columns of the spec. Nothing where there is none.
std::optional<TaskSize> sizeOfTokens(const Task& task, const TaskSpec& spec, std::int64_t count);

/// Is the answer at every place where one is counted the token that follows there?
bool predictsNextToken(const TaskSpec& spec, bool causal);

/// Examples first … first + count − 1 of a split. `task_name` is that of the table: part of the stream's name.
Batch makeBatch(const Task& task, const TaskSpec& spec, Split split, std::uint64_t seed, std::int64_t first,
                std::int64_t count, const TaskSize& size);
/// The same into a batch that is used again, without an allocation once it is large enough.
void fillBatch(const Task& task, const TaskSpec& spec, Split split, std::uint64_t seed, std::int64_t first,
               std::int64_t count, const TaskSize& size, Batch& batch);

}  // namespace posiscope::train

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/param_table.h"

#include <cstdint>
#include <string>

namespace posiscope::train {

enum class TaskKind { copy, sort, reverse, induction, retrieval, modular, brackets, index, image, text };
enum class ModularOperation { add, sub };
enum class ImageTarget { below, index };

/// What a model is trained to do.
struct TaskSpec {
  TaskKind kind = TaskKind::copy;
  std::int64_t length = 6;  ///< copy, sort, reverse: symbols to repeat; otherwise tokens of a sequence
  std::int64_t symbols = 10;
  std::int64_t low = 8;    ///< shortest period (induction) or distance (retrieval)
  std::int64_t high = 16;  ///< longest
  std::int64_t modulus = 13;
  ModularOperation operation = ModularOperation::add;
  std::int64_t max_depth = 6;
  bool bos = false;  ///< index: the first token can be told from the others
  ImageTarget target = ImageTarget::below;
  std::int64_t grid_height = 6;
  std::int64_t grid_width = 6;
  std::string file = {};  ///< text; empty = the built-in corpus

  bool operator==(const TaskSpec&) const = default;
};

const ParamTable<TaskSpec>& taskTable();

}  // namespace posiscope::train

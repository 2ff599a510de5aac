// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/task.h"

#include <string>
#include <string_view>

namespace posiscope::train::tasks {

using Made = Expected<std::shared_ptr<const Task>>;

Made repetition(const TaskSpec& spec, bool causal);  ///< copy, sort, reverse
Made induction(const TaskSpec& spec);
Made retrieval(const TaskSpec& spec);
Made modular(const TaskSpec& spec);
Made brackets(const TaskSpec& spec);
Made indexProbe(const TaskSpec& spec);
Made image(const TaskSpec& spec);
/// The built-in corpus or the spec's file. Errors: those of reading.
Made text(const TaskSpec& spec);
/// The same of any bytes. Error: out_of_range for less than one.
Made textOf(std::string bytes);

/// The grammar's sentences, one after the other with a space behind each.
std::string corpusText(std::uint64_t seed, std::int64_t sentences);

}  // namespace posiscope::train::tasks

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/task.h"

#include <optional>

namespace posiscope::train {

/// What a certain way to guess reaches.
struct Guess {
  double accuracy = 0;
  double loss = 0;
};

/// Every answer that can occur, equally often: what a model that has learned nothing does not fall below. Text: every
/// character of the alphabet.
Guess chanceGuess(const TaskSpec& spec, const Task& task);

/// The best that can be said of the answers of copy, sort and reverse by who knows which symbols there are but not
/// where anything stands: the model without an encoding and without a mask, whose masked rows are all alike. Mean over
/// the first `count` evaluation examples. Nothing for other tasks and under a causal mask.
std::optional<Guess> orderBlindGuess(const TaskSpec& spec, bool causal, const Task& task, std::uint64_t data_seed,
                                     std::int64_t count);

}  // namespace posiscope::train

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"
#include "core/train/evaluate.h"

#include <string>

namespace posiscope::train {

/// The evaluation of an exported model when every token is told another one's position: in each example the positions
/// 0 … L − 1 are dealt out anew, while the tokens, what each of them may look at and what it is to answer stay. A model
/// that makes no use of position loses nothing. Offsets then have both signs also under a causal mask; there an
/// encoding of distances reads its formula's value for keys that follow (`core/schemes`). `folder`: of `exportModel`.
/// Errors: those of opening and running it; not_supported for an encoding that reads the neighbouring tokens of a
/// decoder: its windows follow the positions and would show it its answer; cancelled.
Expected<Evaluation> withShuffledPositions(const std::string& folder, const Task& task, const TaskSpec& spec,
                                           std::uint64_t seed, std::int64_t count, const TaskSize& size,
                                           const Job& job);

}  // namespace posiscope::train

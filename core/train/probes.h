// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/evaluate.h"
#include "core/train/metrics/ridge_probe.h"

namespace posiscope::train {

/// Can the index be read off the hidden rows behind the final norm? Fitted to the first half of the evaluation
/// examples, judged on the other half. Errors: those of `evaluate`.
Expected<RidgeProbe::Score> indexProbe(Model<float>& model, const Task& task, const TaskSpec& spec, std::uint64_t seed,
                                       std::int64_t count, const TaskSize& size, const Job& job = Job());

/// The evaluation of the same weights without their encoding. Errors: those of `evaluate`.
Expected<Evaluation> withoutPosition(const Model<float>& model, const Task& task, const TaskSpec& spec,
                                     std::uint64_t seed, std::int64_t count, const TaskSize& size,
                                     const Job& job = Job());

}  // namespace posiscope::train

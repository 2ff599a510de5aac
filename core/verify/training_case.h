// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"
#include "core/verify/training_judge.h"

namespace posiscope::verify {

/// One case of the model: logits, loss, every gradient, the optimiser's steps, longer sequences, probes. What is wrong
/// with the case is thrown as nlohmann::json::exception. Errors: those of reading its arrays and of making the model.
template <class T>
Outcome judgeModel(TrainingJudge& judge, const nlohmann::json& root, const nlohmann::json& c, const Job& job);

/// Generators, corpus, tasks and start values; likewise.
Outcome judgeGenerators(TrainingJudge& judge, const nlohmann::json& root);

}  // namespace posiscope::verify

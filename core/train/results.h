// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"
#include "core/train/fine_tune.h"
#include "core/train/probes.h"
#include "core/train/run.h"

#include <nlohmann/json.hpp>

namespace posiscope::train {

/// What is measured on a trained model.
struct Results {
  Evaluation evaluation;
  std::vector<LengthPoint> lengths;
  RidgeProbe::Score index_probe;
  Evaluation without_position;  ///< the same weights without their encoding
  std::optional<Evaluation> shuffled_positions;
  Text shuffled_refused;  ///< why there is none; empty where none was asked for
  std::vector<FineTuneCurve> fine_tune;
  std::int64_t parameters = 0;
  std::int64_t position_parameters = 0;
};

/// On the evaluation split. `folder`: of the exported model, for what is measured with shuffled positions; empty = that
/// is left out. Errors: those of a forward pass; cancelled, soon after the job is stopped.
Expected<Results> measure(TrainingRun& run, const Job& job, const std::string& folder = {});

/// With spec and history: everything about the run in one document. NaN is null.
nlohmann::ordered_json toJson(const TrainingRun& run, const Results& results);

/// One line of a table of runs, under `summary_columns`.
extern const char* const summary_columns;
std::string summaryLine(const TrainingRun& run, const Results& results);
std::string summaryLine(const RunSpec& spec, std::int64_t steps_done, const Results& results);

}  // namespace posiscope::train

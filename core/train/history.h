// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/optimiser.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace posiscope::train {

/// What is known of one step.
struct StepRecord {
  std::int64_t step = 0;    ///< from 1
  std::int64_t length = 0;  ///< tokens of its sequences
  double loss = 0;          ///< of the batch, before the step
  double accuracy = 0;
  StepFacts facts;
};

/// The evaluation split after so many steps.
struct EvaluationRecord {
  std::int64_t step = 0;
  double loss = 0;
  double accuracy = 0;
  /// Root mean square length of the words' rows and of the position table's, where there is one beside the words.
  double word_row = 0;
  double position_row = 0;
};

/// What one head does after so many steps: means over the first evaluation examples.
struct HeadRecord {
  std::int64_t step = 0;
  std::int64_t layer = 0, head = 0;
  double previous_token = 0;
  double induction = 0;  ///< NaN where the task has no period
  std::string kind;      ///< `heads::kindId` of example 0
};

struct History {
  std::vector<StepRecord> steps;
  std::vector<EvaluationRecord> evaluations;
  std::vector<HeadRecord> heads;  ///< of all heads, at the steps whose attention is kept
};

nlohmann::ordered_json toJson(const History& history);
/// Of what `toJson` wrote; throws nlohmann::json::exception for anything else.
History historyFromJson(const nlohmann::json& json);

}  // namespace posiscope::train

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/batch.h"
#include "core/train/model_spec.h"
#include "core/train/optimiser_spec.h"
#include "core/train/task.h"

#include <nlohmann/json.hpp>

namespace posiscope::verify {

// What the manifest says in its words, in ours. A missing or misshapen entry is thrown as nlohmann::json::exception:
// whoever reads a case turns it into a case that failed.

/// Error: that of a name or value nobody knows.
Expected<train::ModelSpec> modelOf(const nlohmann::json& config);
train::OptimiserSpec optimiserOf(const nlohmann::json& optimiser);
/// A task and how long its sequences are. Error: unknown_name.
struct TaskQuestion {
  train::TaskSpec spec;
  train::TaskSize size;
  bool causal = true;
};
Expected<TaskQuestion> taskOf(const nlohmann::json& entry);

}  // namespace posiscope::verify

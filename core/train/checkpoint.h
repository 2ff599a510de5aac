// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/run.h"

#include <string>

namespace posiscope::train {

/// The file in a run's folder from which it can go on: parameters, the optimiser's memory, spec and history in one, so
/// that a crash between two files cannot tear them apart.
std::string checkpointPath(const std::string& folder);

/// Replaces the checkpoint of the folder, atomically. Error: file_write.
Outcome saveCheckpoint(const TrainingRun& run, const std::string& folder);
/// Errors: file_missing, file_format (no checkpoint, or its parts do not belong together), those of
/// `TrainingRun::create`.
Expected<TrainingRun> loadCheckpoint(const std::string& folder);

/// model.safetensors, config.json (model_type "posiscope", spec included) and vocab.json: what other parts of the
/// program open. Each atomically. Error: file_write.
Outcome exportModel(const TrainingRun& run, const std::string& folder);

}  // namespace posiscope::train

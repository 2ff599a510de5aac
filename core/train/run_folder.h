// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/array.h"
#include "core/train/results.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace posiscope::train {

// What is kept of a run in its folder beside checkpoint and model, by the command and by the window alike.

/// With everything above it. Error: file_write.
Outcome makeFolder(const std::string& folder);

/// The attention of evaluation example 0: attention/00000128.npy. Error: file_write.
Outcome keepSnapshot(const std::string& folder, std::int64_t step, const Array& attention);
/// Those of steps up to `last`, by step; files that cannot be read are left out.
std::map<std::int64_t, Array> keptSnapshots(const std::string& folder, std::int64_t last);

/// results.json: spec, history and everything measured. Error: file_write.
Outcome keepResults(const TrainingRun& run, const Results& results, const std::string& folder);
/// What was measured on this very run at the step where it is now; nothing when there is no such file.
std::optional<Results> keptResults(const TrainingRun& run, const std::string& folder);

/// The run at the checkpoint of the folder; at its start where there is none, or one of another spec. Errors: those of
/// `TrainingRun::create`.
Expected<TrainingRun> runOfFolder(const RunSpec& spec, const std::string& folder);

}  // namespace posiscope::train

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify.h"

#include <nlohmann/json.hpp>
#include <string>

namespace posiscope::verify {

/// Is this the manifest of the training bench ("suite": "training")?
bool isTrainingManifest(const nlohmann::json& root);

/// Computes every case of it with the very model, optimiser and generators that the bench trains with: single
/// precision at the f32 lines, double precision at the f64 lines. `path`: of the manifest, whose folder holds the
/// arrays. A malformed case is one that failed. Error: cancelled.
Expected<Report> runTraining(const nlohmann::json& root, const std::string& path, const Options& options,
                             const Job& job, const std::function<void(const CaseReport&)>& each);

}  // namespace posiscope::verify

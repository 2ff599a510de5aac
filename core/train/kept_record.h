// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"
#include "core/train/comparison_record.h"

#include <string>

namespace posiscope::train {

/// What the folder of a comparison (`SideBySideOptions::folder`) holds of its runs, without training any further:
/// curves and attention up to the checkpoint of each, results of those that were measured. A run without a checkpoint,
/// or with one of another specification, is empty: it would begin anew. Error: cancelled.
Expected<ComparisonRecord> readKept(const ComparisonSpec& spec, const std::string& folder, const Job& job = Job());

}  // namespace posiscope::train

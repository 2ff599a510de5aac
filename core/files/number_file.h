// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "core/job.h"

#include <string>
#include <string_view>

namespace posiscope::files {

/// The numbers of a dataset as CSV where the path ends in .csv, else as .npy; written piece by piece, with the job's
/// progress. `comment`: whole lines before those of a CSV; an array has no place for them. Errors: file_write;
/// too_large; cancelled soon after the job was stopped. No unfinished file stays.
Outcome writeNumberFile(const std::string& path, const Dataset& dataset, bool single_precision, const Job& job,
                        std::string_view comment = {});

}  // namespace posiscope::files

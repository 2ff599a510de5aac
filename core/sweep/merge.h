// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/job.h"

#include <cstddef>
#include <string>
#include <vector>

namespace posiscope::sweep {

/// Joins the parts of one sweep, in whatever folders its shards were run, into `out` (which may be one of them): the
/// same files, byte for byte, as the whole sweep would have written. The answer is the number of items. Nothing is
/// written while an item is missing.
/// Errors: those of reading sweep.json; bad_value (parts of another sweep); file_missing (an item that no part has);
/// file_write; cancelled.
Expected<std::size_t> merge(const std::vector<std::string>& parts, const std::string& out, const Job& job);

}  // namespace posiscope::sweep

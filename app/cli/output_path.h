// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <string>
#include <vector>

namespace posiscope::cli {

/// "out/F.npy", 2 → "out/F.2.npy"; an empty path stays empty.
std::string numberedPath(const std::string& path, std::size_t number);

/// The ending says the format, and the folder must be there. Checked before anything is computed; an empty path is
/// allowed. Errors: bad_value, file_missing; the sentence starts with `flag`.
Outcome checkOutput(const std::string& path, const std::vector<std::string>& endings,
                    const std::string& flag = "--out");

}  // namespace posiscope::cli

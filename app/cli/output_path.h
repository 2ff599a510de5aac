// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <string>
#include <vector>

namespace posiscope::cli {

/// "out/F.npy", 2 → "out/F.2.npy"; an empty path stays empty.
std::string numberedPath(const std::string& path, std::size_t number);

/// The ending says the format. Checked before anything is computed; an empty path is allowed.
Outcome checkOutput(const std::string& path, const std::vector<std::string>& endings);

}  // namespace posiscope::cli

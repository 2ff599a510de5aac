// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace posiscope {

/// The first `count` lines of a text file, each what is written at a token; further lines are for a longer sequence.
/// Errors: those of reading it; bad_shape when there are fewer.
Expected<std::vector<std::string>> readLabels(const std::string& path, std::int64_t count);

}  // namespace posiscope

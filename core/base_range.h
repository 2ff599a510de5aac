// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/param_table.h"

#include <vector>

namespace posiscope {

/// The base of sines and rotations: above 0, and what a slider spans of it.
inline constexpr Range base_range{1e-6, 1e12, 100, 1e7, true};

/// A base below 1 is computed as written, though hardly meant: one sentence on it, none otherwise.
std::vector<Text> baseWarnings(double base);

}  // namespace posiscope

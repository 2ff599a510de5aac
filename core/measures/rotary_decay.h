// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "core/encoding.h"
#include "core/error.h"
#include "core/job.h"

#include <cstdint>
#include <vector>

namespace posiscope::measures {

enum class DecayCurves { ones, same, independent, bound, all };

/// What the rotary curves stand for. They answer different questions, and only their labels tell which:
/// all-ones q and k give 2·S(n); q = k random gives the same on average; independent q and k have mean 0 and the same
/// spread at every offset, no decay at all; the bound is an envelope of relative size.
struct RotaryDecay {
  DecayCurves curves = DecayCurves::ones;
  bool normalise = true;
  std::int64_t samples = 32;
  std::int64_t seed = 1;
};

/// Adds the curves of one set at the offsets `x`, which follow one another from `first`. Nothing when the positions
/// are not evenly spaced. Error: cancelled.
Outcome addRotaryDecay(Dataset& dataset, const RotationPart& rotation, std::int64_t set, const RotaryDecay& wanted,
                       double first, const std::vector<double>& x, const Job& job);

}  // namespace posiscope::measures

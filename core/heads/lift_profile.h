// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/heads/thresholds.h"

#include <cstdint>
#include <span>
#include <vector>

namespace posiscope::heads {

/// What comes back in the lift profile of a head: the mean of n_i·A_ij over the allowed pairs at each distance |n| = 1
/// … D, with n_i the number of keys that query i may look at. Uniform attention, causal or not, is flat at 1, where
/// plain mean attention would fall with the distance under a causal mask.
struct Periodicity {
  double score = 0;         ///< height of the largest peak of the autocorrelation, at most 1; 0 = no period
  std::int64_t period = 0;  ///< tokens: the first peak of nine tenths of that height
  double cv = 0;            ///< standard deviation over mean of the profile; 0 where it is flat or empty
};

/// Unbiased autocorrelation about the mean at the lags 0 … ⌊D/2⌋ + 1 (fewer where D is too short), 1 at lag 0; all 0
/// for a flat profile.
std::vector<double> autocorrelation(std::span<const double> profile);

/// A peak counts where it rises above the deepest valley before it: decaying curves, too, are like themselves at every
/// lag.
Periodicity periodicity(std::span<const double> profile, const Thresholds& thresholds);

}  // namespace posiscope::heads

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/param_table.h"

#include <cstdint>

namespace posiscope::heads {

/// What decides the kind of a head. The defaults were set on 672 synthetic maps of known kind, all of which they tell
/// right; how well they fit trained heads is for the reader to judge, so each can be moved.
struct Thresholds {
  /// As `local_window`: no key but the query's own is near.
  static constexpr std::int64_t diagonal_only = -1;

  std::int64_t local_window = 0;  ///< keys with |n| ≤ this are near; 0 = a sixteenth of the keys, at least 1
  std::int64_t min_len = 8;       ///< fewer keys, or fewer queries that see any, decide nothing
  double specific_mass = 0.5;     ///< of the two columns that get most
  double specific_lift = 3;       ///< times what uniform attention gives its two
  double local_mass = 0.5;        ///< of the near keys
  double local_lift = 1.5;
  double periodic_score = 0.6;         ///< height of a peak of the autocorrelation
  double periodic_sigma = 3;           ///< … which must also be this many 1/√D, the noise of D distances
  double periodic_cap = 0.9;           ///< … but need not be more than this
  std::int64_t periodic_min_lags = 8;  ///< fewer distances have no period
  double periodic_cv = 0.2;            ///< relative spread of the profile
  double prominence = 0.2;             ///< how far a peak stands above the valley before it
  double global_entropy = 0.8;         ///< of the largest possible

  /// The near keys of so many.
  std::int64_t window(std::int64_t keys) const;
};

const ParamTable<Thresholds>& thresholdTable();

}  // namespace posiscope::heads

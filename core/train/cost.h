// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/job.h"
#include "core/train/run_spec.h"

namespace posiscope::train {

/// What a comparison will take on this machine, roughly: the longer lengths are reckoned, not tried.
struct Cost {
  double seconds = 0;     ///< of all runs, their measurements included
  double steps = 0;       ///< of the optimiser, of all runs
  double bytes = 0;       ///< while the runs of one seed are trained side by side
  double parameters = 0;  ///< of the largest model
};

/// Found by a few steps of each encoding. Errors: whatever one of the runs would refuse, before the first has taken its
/// time; cancelled.
Expected<Cost> costOf(const ComparisonSpec& spec, const Job& job);

}  // namespace posiscope::train

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/job.h"

#include <cstdint>

namespace posiscope::cli {

/// Opens the window of the program's start, without a display, in this process. The answer is the milliseconds from
/// `since`, in nanoseconds of the steady clock, to its first picture with all answers. Nobody's settings are touched.
double windowReady(std::int64_t since);

/// Runs this program anew a few times for that: from its start to the usable window, in milliseconds, the median.
/// Errors: not_supported (this process is another program that has the commands in it); cancelled.
Expected<double> measureWindowStart(const Job& job);

}  // namespace posiscope::cli

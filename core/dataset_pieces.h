// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "core/job.h"

#include <functional>
#include <span>
#include <string_view>

namespace posiscope {

// The numbers of a dataset piece by piece, as they are computed: those of a large map take minutes and much memory.
// Errors: too_large where `checkNumbers` refuses, and of a typed formula that takes longer than its time;
// not_defined where it has no finite value; cancelled soon after the job was stopped (looked at once a row); what
// `take` answers. The job's progress is the share of the rows that were taken.

/// The text of `csv` in pieces of whole lines, about a megabyte each. Curves of marks over the axis of a map's rows are
/// columns before its numbers: other names of the rows ("i,row,d0,…" where a table's rows do not start at position 0).
Outcome csvPieces(const Dataset& dataset, const Job& job, const std::function<Outcome(std::string_view)>& take);

/// The array of `numbers`, row-major, a row of a map at a time.
Outcome numberPieces(const Dataset& dataset, const Job& job,
                     const std::function<Outcome(std::span<const double>)>& take);
/// Its shape; nothing of a map is computed.
std::vector<std::int64_t> numbersShape(const Dataset& dataset);

/// Error: cancelled.
tl::unexpected<Error> writingStopped();

}  // namespace posiscope

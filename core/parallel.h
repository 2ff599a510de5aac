// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"

#include <cstdint>
#include <functional>

namespace posiscope {

/// How many threads a parallel region uses (at least 1). The default is the number of usable cores.
int threads();
void setThreads(int count);

/// Calls `body(begin, end)` for consecutive blocks of `[0, count)`, `block` items each, spread over the
/// threads. The blocks do not depend on the number of threads, so sums formed per block do not either.
/// A stopped job skips the remaining blocks; then the answer is false and the output is incomplete.
bool parallelBlocks(std::int64_t count, std::int64_t block, const Job& job,
                    const std::function<void(std::int64_t, std::int64_t)>& body);

}  // namespace posiscope

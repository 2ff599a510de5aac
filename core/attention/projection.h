// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/job.h"

#include <span>

namespace posiscope::attention {

/// y = x·Wᵀ for `width` consecutive rows of W (out, in) from `first`; without W the columns of x themselves.
/// x is [tokens, d_model], `out` [tokens, width]. False when the job was stopped.
template <class T>
bool project(Rows<T> x, Rows<T> weight, std::int64_t first, std::int64_t width, std::span<T> out, const Job& job);

}  // namespace posiscope::attention

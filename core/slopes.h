// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace posiscope {

/// ALiBi's slope of each head, in head order. Where heads are not a power of two: the slopes of the largest power
/// P below, then every second slope of 2P heads, so they are not sorted. Press et al. 2021; the exponents end at
/// max_bias (8 in the paper, `alibi_bias_max` in MPT).
std::vector<double> alibiSlopes(std::int64_t num_heads, double max_bias = 8);

}  // namespace posiscope

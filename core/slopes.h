// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace posiscope {

/// Two published readings of ALiBi where heads are not a power of two; equal where they are.
enum class SlopeRule {
  code,  ///< the released code: the slopes of the largest power P below, then every second slope of 2P heads
  text,  ///< the paper's text: one geometric series over all heads
};

/// ALiBi's slope of each head, in head order; by the rule of the code they are not sorted. Press et al. 2021; the
/// exponents end at max_bias (8 in the paper, `alibi_bias_max` in MPT).
std::vector<double> alibiSlopes(std::int64_t num_heads, double max_bias = 8, SlopeRule rule = SlopeRule::code);

}  // namespace posiscope

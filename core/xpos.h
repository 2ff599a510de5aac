// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace posiscope {

/// ζ_p = (2p/d + γ)/(1 + γ) of the d/2 pairs, below 1: what a pair's score loses in one scale base (Sun et al. 2022,
/// eq. 17).
std::vector<double> xposZeta(double gamma, std::int64_t rotary_dim);

}  // namespace posiscope

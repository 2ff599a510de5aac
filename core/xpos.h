// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/error.h"

#include <cstdint>
#include <vector>

namespace posiscope {

/// ζ_p = (2p/d + γ)/(1 + γ) of the d/2 pairs, below 1: what a pair's score loses in one scale base (Sun et al. 2022,
/// eq. 17).
std::vector<double> xposZeta(double gamma, std::int64_t rotary_dim);

/// How far from the centre, in tokens, the factors of queries and keys stay numbers of T: up to a 6000th of the largest
/// one, which leaves room for the content. Infinite where nothing is scaled.
template <class T>
double magnitudeReach(const RotationPart& rotation);

/// The distance of the farthest token from the centre.
double farthestFromCentre(const RotationPart& rotation);

/// Can queries and keys be turned in T without leaving its range? Their products, the scores, might all the same be
/// small. Error: out_of_range.
template <class T>
Outcome checkMagnitudes(const RotationPart& rotation);

}  // namespace posiscope

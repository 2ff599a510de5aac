// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>

namespace posiscope {

/// ln(1 + eˣ), without overflow and without losing the digits of a small result.
inline double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

/// ln σ(x) = −softplus(−x). The logarithm of a computed σ is −∞ below −745 and loses digits far earlier.
inline double logSigmoid(double x) { return -softplus(-x); }

}  // namespace posiscope

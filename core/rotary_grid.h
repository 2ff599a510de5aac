// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/grid.h"

#include <cstdint>
#include <vector>

namespace posiscope {

/// Frequencies of a rotation over two axes, [2, d/2] with y first: a pair turns with one axis, its other entry is 0.
/// The first half of the pairs turns with y.
/// Both axes have the q = d/4 frequencies b^(−i/q) (EVA-02, Qwen2-VL).
std::vector<double> axialFrequencies(double base, std::int64_t head_dim);
/// The axes share the one-dimensional list b^(−2j/d) out: even j to y, odd j to x (Pixtral).
std::vector<double> splitFrequencies(double base, std::int64_t head_dim);

/// Two random orthogonal directions in each head, [2, heads, d/2] with x first (RoPE-Mixed, Heo et al. 2024): magnitude
/// θ^(−4k/d), k = 0 … d/4 − 1, turned by the head's φ; the second half of the pairs stands at a right angle to the
/// first.
std::vector<double> mixedFrequencies(double theta, std::int64_t head_dim, const std::vector<double>& phi);

/// Coordinates of the tokens, [2, tokens] with y first; the first `prefix` tokens are no patches and stand at 0.
/// `y_step`, `x_step` stretch them (EVA-02: reference size / size).
std::vector<double> gridPositions(const Grid& grid, std::int64_t prefix, double y_step = 1, double x_step = 1);
/// The patches' centres in [−1, 1]: 2(i + ½)/n − 1 (DINOv3).
std::vector<double> normalizedPositions(const Grid& grid, std::int64_t prefix);

}  // namespace posiscope

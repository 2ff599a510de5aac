// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scheme.h"

#include <array>

namespace posiscope::schemes {

struct SwinV2Params {
  std::int64_t pretrained_height = 0;  ///< window side the coordinates were normalised with; 0 = the grid's
  std::int64_t pretrained_width = 0;
  std::int64_t hidden = 512;
  Array w1;           ///< (hidden, 2)
  Array b1;           ///< (hidden,)
  Array w2;           ///< (heads, hidden)
  Array logit_scale;  ///< (heads,), a logarithm; ln 10 when not given
  std::int64_t seed = 1;
};

/// sign(t)·log2(1 + |t|)/3 with t = 8·Δ/(side − 1). The official code gives 0/0 for side 1; here it is 0.
double swinV2Coordinate(std::int64_t delta, std::int64_t side);

/// (y, x) coordinates of all offsets, [2h − 1, 2w − 1, 2]; (0, 0) is the most negative offset.
std::vector<double> swinV2Coordinates(const SwinV2Params& params, std::int64_t height, std::int64_t width);

/// 16·σ(W2·relu(W1·c + b1)) of every offset, [(2h − 1)(2w − 1), heads].
template <class T>
Table<T> swinV2OffsetBias(const SwinV2Params& params, const Shape& shape);

/// The same for every pair of tokens, [heads, L, L].
template <class T>
std::vector<T> swinV2Bias(const SwinV2Params& params, const Shape& shape);

/// Cosine attention with a learned scale and a log-spaced continuous bias over a window (Liu et al. 2022).
Scheme swinV2();

}  // namespace posiscope::schemes

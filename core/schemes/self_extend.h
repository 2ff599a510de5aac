// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rotary.h"
#include "core/scheme.h"

namespace posiscope::schemes {

struct SelfExtendParams {
  std::int64_t group = 8;      ///< G: far positions are divided by it
  std::int64_t window = 1024;  ///< W: distances below it are exact, in tokens
  double base = 10000;
  Pairing pairing = Pairing::interleaved;
};

/// The relative position given to the rotation: n for n < W, else floor(i/G) + W − floor(W/G) − floor(j/G).
/// `query` and `key` are absolute positions.
std::int64_t selfExtendPosition(const SelfExtendParams& params, std::int64_t query, std::int64_t key);

/// The same for all pairs, [L_q, L_k]; keys after the query get what the formula gives.
std::vector<std::int64_t> selfExtendPositions(const SelfExtendParams& params, const Shape& shape);

/// Self-Extend (Jin et al. 2024): rotary positions, exact nearby and grouped farther away.
Scheme selfExtend();

}  // namespace posiscope::schemes

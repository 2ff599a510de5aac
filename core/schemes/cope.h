// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scheme.h"

namespace posiscope::schemes {

struct CopeParams {
  std::int64_t npos = 64;  ///< rows of the position table; positions are clamped to npos − 1
  Array position_table;    ///< (npos, head_dim), shared by the heads; or (num_layers, npos, head_dim)
  std::int64_t seed = 1;
};

/// Gates σ(z) of one row of scaled logits, 0 where masked. The mask comes before the gates: otherwise future tokens
/// would count.
template <class T>
void copeGates(std::span<const T> logits, const Mask& mask, const Shape& shape, std::int64_t i, std::span<T> gates);

/// Positions: the sum of the gates from each key to the end of the row, at most npos − 1.
template <class T>
void copePositions(std::span<const T> gates, std::int64_t npos, std::span<T> positions);

/// q·e[position], interpolated between the two whole positions beside it; unscaled.
template <class T>
void copeTerm(std::span<const T> q, Rows<T> table, std::span<const T> positions, std::span<T> term);

/// Contextual position encoding (Golovneva et al. 2024): counts what the gates choose to count.
Scheme cope();

}  // namespace posiscope::schemes

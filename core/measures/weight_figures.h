// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"
#include "core/mask.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace posiscope::measures {

/// Figures of one head's attention weights, over the rows that look at some key and hold no NaN.
struct WeightFigures {
  double entropy = 0;          ///< mean over rows of −Σ A ln A, nats
  std::int64_t undefined = 0;  ///< rows that hold NaN: their logits are no numbers, or too large for one
  /// Mean weight at n = first_offset …, over the queries that may look at such a key; NaN where none may.
  std::vector<double> by_offset;
};

/// For each head of `weights`, [heads, L_q, L_k]. One pass over them, in parallel by head. Empty when stopped.
std::vector<WeightFigures> weightFigures(const float* weights, std::int64_t heads, const Mask& mask, const Shape& shape,
                                         std::int64_t first_offset, const Job& job);

/// −Σ a·ln a of one row; 0·ln 0 = 0, and NaN where a weight is. In single precision, relative error below 1e-5: a
/// figure for the screen that must not cost more than the softmax.
double rowEntropy(std::span<const float> row);

}  // namespace posiscope::measures

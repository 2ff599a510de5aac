// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <cstdint>
#include <vector>

namespace posiscope {

/// Which number each token is given as its position.
enum class IdRule {
  offset,         ///< t + offset
  sorted_sample,  ///< different positions below `range`, sorted (Ruoss et al. 2023)
  pose,           ///< chunks of tokens, each moved on by its own skip (Zhu et al. 2024)
  roberta,        ///< padding_idx + 1, … for real tokens, padding_idx for padding
  left_pad,       ///< 0, 1, … for real tokens, 1 for padding
};

struct IdParams {
  IdRule rule = IdRule::sorted_sample;
  double offset = 100;               ///< may be negative
  std::int64_t range = 2048;         ///< positions are drawn from 0 … range − 1
  std::vector<double> draw = {};     ///< the positions drawn, in any order; empty = drawn from the seed
  std::vector<double> lengths = {};  ///< tokens of each chunk; empty = two chunks drawn from the seed
  std::vector<double> skips = {};    ///< of each chunk, never decreasing
  std::vector<double> padding = {};  ///< 1 = real token, 0 = padding; empty = all real
  std::int64_t padding_idx = 1;
  std::int64_t seed = 1;
};

/// One id a token; `first` is the position of token 0 under the offset rule, the others number tokens themselves.
/// Errors: bad_value (not whole, not 0 or 1), bad_shape (as many entries as tokens), out_of_range (beyond the range,
/// drawn twice, backwards).
Expected<std::vector<double>> positionIds(const IdParams& params, std::int64_t tokens, double first);

}  // namespace posiscope

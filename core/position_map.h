// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace posiscope {

/// The relative position m(i, j) that a rotation is given instead of n = i − j, so that a model meets no distance it
/// was not trained on. In the form that rotations can compute: every pair of tokens falls into one of a few branches,
/// and inside a branch m is a position of the query minus a position of the key. Tokens are counted among the keys.
struct PositionMap {
  struct Branch {
    std::vector<double> query;  ///< position of each token when it asks
    std::vector<double> key;    ///< position of each token when it is asked
  };
  std::vector<Branch> branches;
  std::function<std::size_t(std::int64_t i, std::int64_t j)> branch_of;

  double at(std::int64_t i, std::int64_t j) const;
};

/// Consecutive tokens: how many, and the position of the first.
struct TokenRun {
  std::int64_t count;
  double first;
};

/// Self-Extend (Jin et al. 2024): n below `window`, else floor(i/G) + W − floor(W/G) − floor(j/G).
PositionMap selfExtendMap(TokenRun tokens, std::int64_t group, std::int64_t window);

/// ReRoPE (Su 2023): n while |n| < `window`, else `window`.
PositionMap reropeMap(TokenRun tokens, std::int64_t window);

/// Leaky ReRoPE (Su 2023): n while |n| < `window`, else window + (n − window)/factor.
PositionMap leakyReropeMap(TokenRun tokens, std::int64_t window, double factor);

/// Dual chunk attention (An et al. 2024) with chunks of s = chunk_size − local_size ≥ 1 tokens: i mod s − j mod s in
/// one chunk, min(i mod s + s, chunk_size) − j mod s from one chunk to the next, min(2s − 1, chunk_size) − j mod s
/// farther away. A key in a later chunk counts as in the same one: a causal mask hides it.
PositionMap dualChunkMap(TokenRun tokens, std::int64_t chunk_size, std::int64_t local_size);

}  // namespace posiscope

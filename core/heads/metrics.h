// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/grid.h"
#include "core/heads/lift_profile.h"
#include "core/heads/thresholds.h"
#include "core/mask.h"

#include <cstdint>
#include <span>
#include <vector>

namespace posiscope::heads {

/// What one attention map of one head does, as numbers. Means over the queries that look at some key; logarithms
/// are natural; "uniform" is the same figure of attention spread evenly over the allowed keys, which is what to compare
/// with: under a causal mask even that has a first column and a diagonal. n = p_i − j.
struct Metrics {
  double entropy_mean = 0;       ///< −Σ A ln A, nats
  double entropy_norm_mean = 0;  ///< over ln of the allowed keys, of queries with at least two; 0 if there is none
  double mean_distance = 0;      ///< Σ A·|n|, tokens
  double mean_distance_uniform = 0;
  double local_mass = 0;  ///< weight of the keys with |n| ≤ window
  double local_mass_uniform = 0;
  double sink_mass = 0;   ///< weight of key 0, of queries behind it (all if there is none)
  double diag_score = 0;  ///< mean weight at n = 0, 1 and −1
  double prev_score = 0;
  double next_score = 0;
  double col_top2_mass = 0;  ///< mean weight of the two keys that get most
  double col_top2_uniform = 0;
  Periodicity periodicity;

  std::int64_t keys = 0;
  std::int64_t rows = 0;     ///< queries that look at some key
  std::int64_t damaged = 0;  ///< queries that may look at some key, but whose weights hold NaN: they count in nothing
  std::int64_t window = 0;   ///< tokens: which keys counted as near
  std::vector<double> lift;  ///< the profile behind `periodicity`, |n| = 1 … ⌊keys/2⌋
};

/// Does a row of weights give any key something, and is each of them a number? Rows of maps from elsewhere may be all
/// zeros without a mask that says so (padding that was masked where they were made), or hold NaN: they are no row of
/// attention and count in no mean.
template <class T>
bool looksAtSome(std::span<const T> row);

/// Of one head's weights, [L_q, L_k], masked ones 0. Sums are formed in double. Where only damaged rows look at
/// something the figures are NaN: zeros would be taken for figures.
template <class T>
Metrics headMetrics(Rows<T> weights, const Mask& mask, const Shape& shape, const Thresholds& thresholds);

/// Mean weight by signed offset n = −(L_k − 1) … L_k − 1 over the allowed pairs of the rows
/// that look at some key; 0 where there is none.
template <class T>
std::vector<double> offsetProfile(Rows<T> weights, const Mask& mask, const Shape& shape);

/// Mean Euclidean distance from a patch that looks at some to those it looks at, in units of `patch`. Weights [tokens,
/// tokens]: the first `prefix` are no patches and have no distance, the others those of a grid in reading order, or its
/// first ones.
template <class T>
double gridDistance(Rows<T> weights, const Grid& grid, double patch, std::int64_t prefix = 0);

}  // namespace posiscope::heads

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scheme.h"

namespace posiscope::schemes {

/// Shaw et al. count from the query (j − i); some ports count the other way.
enum class ShawSign { j_minus_i, i_minus_j };

struct ShawParams {
  std::int64_t max_distance = 16;  ///< k: farther keys share the last row
  ShawSign sign = ShawSign::j_minus_i;
  Array relative_keys;    ///< a^K, (2k + 1, head_dim), shared by the heads; or (num_layers, 2k + 1, head_dim)
  Array relative_values;  ///< a^V, the same
  std::int64_t seed = 1;
};

/// Row of the tables for n = p_i − j: clip(±n, −k, k) + k.
std::int64_t shawIndex(const ShawParams& params, std::int64_t n);

/// The rows of all pairs, [L_q, L_k].
std::vector<std::int64_t> shawIndices(const ShawParams& params, const Shape& shape);

/// q·a^K of one head, unscaled, for every row of the table: [L_q, 2k + 1]. Pair (i, j) reads column shawIndex.
template <class T>
Table<T> shawTerms(Rows<T> q, Rows<T> relative_keys);

/// S_ij = q_i·(k_j + a^K)/√d, z_i = Σ_j A_ij (v_j + a^V) (Shaw, Uszkoreit and Vaswani 2018).
Scheme shaw();

}  // namespace posiscope::schemes

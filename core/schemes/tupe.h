// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/buckets.h"
#include "core/scheme.h"

namespace posiscope::schemes {

struct TupeParams {
  bool untie_cls = true;  ///< [CLS], token 0 wherever it stands, sees and is seen by a number instead of its position
  bool relative = true;   ///< TUPE-R: T5's buckets beside the absolute positions
  std::int64_t num_buckets = 32;
  std::int64_t max_distance = 128;
  double layer_norm_eps = 1e-5;
  Array position_table;      ///< (at least first_position + seq_len + 1, d_model); position t is row t + 1
  Array ln_gamma, ln_beta;   ///< (d_model,)
  Array u_q, b_q, u_k, b_k;  ///< (heads·head_dim, d_model) and (heads·head_dim,)
  Array relative_table;      ///< (num_buckets + 1, heads)
  std::int64_t seed = 1;

  BucketParams buckets() const { return {num_buckets, max_distance, true}; }
};

/// Row of the relative table for query position i and key j: T5's bidirectional bucket, then column 0 reads row
/// num_buckets and row 0 reads num_buckets / 2, which the buckets themselves never use.
std::int64_t tupeBucket(const BucketParams& params, const std::vector<std::int64_t>& edges, std::int64_t i,
                        std::int64_t j);

/// Untied positional attention (Ke, He and Liu 2020).
Scheme tupe();

}  // namespace posiscope::schemes

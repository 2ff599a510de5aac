// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/buckets.h"
#include "core/scheme.h"

#include <array>

namespace posiscope::schemes {

/// Which position terms stand beside content-to-content.
enum class DebertaTerms { both, c2p, p2c, none };
/// The row of Q^r that p2c reads: δ(i, j) as in both published programs, δ(j, i) as the paper prints it.
enum class DebertaIndexing { code, paper };
/// What happens to offsets beyond max_relative_positions under log buckets.
enum class DebertaFarEnd { microsoft, hugging_face };

struct DebertaParams {
  std::int64_t max_distance = 0;        ///< k, att_span; 0 = position_buckets if any, else max_relative_positions
  std::int64_t position_buckets = 256;  ///< 0 = every offset has a row of its own, as in v1
  std::int64_t max_relative_positions = 512;
  DebertaTerms terms = DebertaTerms::both;
  DebertaIndexing p2c = DebertaIndexing::code;
  DebertaFarEnd far_end = DebertaFarEnd::microsoft;
  bool share_att_key = true;  ///< the content's projections also make K^r and Q^r
  Array table;                ///< (2k, d_model), relative embeddings
  Array w_k, w_q;             ///< (heads·head_dim, d_model), projections of the table
  Array k_r, q_r;             ///< (heads, 2k, head_dim), used as they are
  std::int64_t seed = 1;

  /// k: the table has 2k rows.
  std::int64_t span() const;
  LogBucketParams buckets() const;
};

/// δ for n = p_i − j: clip(n or its log bucket + k, 0, 2k − 1). All n ≥ k − 1 share a row, only n ≤ −k the other end.
std::int64_t debertaIndex(const DebertaParams& params, std::int64_t n);

/// The three terms of one head before the scale: c2c q·k, c2p q·K^r, p2c k·Q^r. Views must outlive it.
template <class T>
class DebertaTermsOf {
 public:
  DebertaTermsOf(const DebertaParams& params, Rows<T> q, Rows<T> k, Rows<T> k_r, Rows<T> q_r,
                 std::int64_t query_offset);

  /// Terms of query i and key j; a term that the scheme leaves out is 0.
  std::array<T, 3> at(std::int64_t i, std::int64_t j) const;

 private:
  DebertaParams params_;
  Rows<T> q_, k_, k_r_, q_r_;
  std::int64_t query_offset_;
  std::vector<std::int64_t> index_;  ///< δ of n, from n = −lowest_
  std::int64_t lowest_;
};

/// Disentangled attention (He et al. 2020).
Scheme deberta();

}  // namespace posiscope::schemes

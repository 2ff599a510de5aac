// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scheme.h"

#include <array>

namespace posiscope::schemes {

struct TransformerXlParams {
  bool bidirectional = false;   ///< XLNet: also distances below zero. Otherwise the position terms are 0 there.
  std::int64_t clamp_len = -1;  ///< distances beyond it count as it, in tokens; ≤ 0 = no limit
  Array w_r;                    ///< W_R, (heads·head_dim, d_model), or with num_layers in front; so the two below
  Array u;                      ///< r_w_bias, (heads, head_dim)
  Array v;                      ///< r_r_bias, (heads, head_dim)
  std::int64_t seed = 1;
};

/// The sinusoids R of the distances that occur, sin half then cos half.
template <class T>
struct DistanceRows {
  std::int64_t lowest = 0;  ///< distance of row 0; ascending
  Table<T> rows;            ///< [distances, d_model]

  std::int64_t indexOf(std::int64_t n) const { return std::clamp<std::int64_t>(n - lowest, 0, rows.rows - 1); }
};
template <class T>
DistanceRows<T> distanceRows(const TransformerXlParams& params, std::int64_t seq_len, std::int64_t d_model);

/// R as the original code keeps it: one row a key, for distances L_k − 1 down to 0.
template <class T>
Table<T> txlRows(const TransformerXlParams& params, std::int64_t seq_len, std::int64_t d_model);

/// The relative shift of a (L_q, L_k) matrix: a zero column on the left, read as (L_k + 1, L_q), first row dropped.
/// What it leaves above the diagonal is garbage that the causal mask hides.
template <class T>
Table<T> relativeShift(Rows<T> x);

/// The four terms of one head, before 1/√d: (a) q·k, (b) q·r, (c) u·k, (d) v·r. Views must outlive it.
template <class T>
class TransformerXlTerms {
 public:
  TransformerXlTerms(const TransformerXlParams& params, const DistanceRows<T>& distances, Rows<T> w_r,
                     std::span<const T> u, std::span<const T> v, Rows<T> q, Rows<T> k, std::int64_t query_offset);

  /// Terms of query i and key j; b and d are 0 for n < 0 in the causal form.
  std::array<T, 4> at(std::int64_t i, std::int64_t j) const;

 private:
  bool bidirectional_;
  std::int64_t query_offset_;
  DistanceRows<T> r_;  ///< W_R·R, [distances, head_dim]
  Rows<T> q_, k_;
  std::vector<T> key_bias_;       ///< u·k_j
  std::vector<T> position_bias_;  ///< v·r_n
};

/// Transformer-XL (Dai et al. 2019) and, bidirectional, XLNet.
Scheme transformerXl();

}  // namespace posiscope::schemes

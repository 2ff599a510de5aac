// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schemes/learned_weights.h"
#include "core/schemes/schemes.h"

namespace posiscope::schemes {

struct RelativeKeyParams {
  std::int64_t max_positions = 1024;  ///< offsets −(max_positions − 1) … max_positions − 1 have a row
  Array table;                        ///< (2·max_positions − 1, head_dim), shared by the heads
  std::int64_t seed = 1;
};

/// S_ij = (q_i·k_j + q_i·a_n [+ k_j·a_n]) / √d with n = i − j and a_n row n + max_positions − 1: the relative position
/// types of BERT in Hugging Face's library. Offsets are not clipped; a longer sequence has no row.
class RelativeKey {
 public:
  RelativeKey(std::string id, bool with_keys) : id_(std::move(id)), with_keys_(with_keys) {}

  ParamTable<RelativeKeyParams> params() const;
  Outcome check(const RelativeKeyParams& params, const Shape& shape) const;
  template <class T>
  Encoding<T> encode(const RelativeKeyParams& params, const Shape& shape) const;
  SchemeCost cost(const RelativeKeyParams& params, const Shape& shape) const;
  std::string substitution(const RelativeKeyParams& params, const Shape& shape) const;

 private:
  std::string id_;
  bool with_keys_;  ///< the key meets the vector of its offset too
};

}  // namespace posiscope::schemes

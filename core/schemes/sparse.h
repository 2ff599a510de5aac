// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/segments.h"
#include "core/shape.h"

#include <cstdint>
#include <vector>

namespace posiscope::schemes {

enum class SparseForm { bias, boundary_table, restart_table };
enum class SparseKeep { window, window_or_boundary, window_or_boundary_key, offsets, same_segment };
enum class SparseIndex { token, segment };

struct SparseParams {
  SparseForm form = SparseForm::bias;
  SparseKeep keep = SparseKeep::window_or_boundary;
  std::int64_t window = 4;
  std::vector<double> offsets{0, 1, 2, 4, 8};
  std::vector<double> flags;         ///< one for each token, not 0 = boundary
  std::int64_t boundary_every = 16;  ///< the flags when none are given; 0 = no boundary
  SegmentRule rule = SegmentRule::end;
  double slope = 0;  ///< of every head; 0 = ALiBi's
  SparseIndex index = SparseIndex::token;
  double base = 10000;
};

/// The boundaries of `keys` tokens.
std::vector<bool> sparseFlags(const SparseParams& params, std::int64_t keys);

/// Which pairs of tokens keep their position term; the others stay visible without one.
class SparsePattern {
 public:
  SparsePattern(const SparseParams& params, std::int64_t keys);

  /// `query` and `key` are tokens, from 0.
  bool keeps(std::int64_t query, std::int64_t key) const;

 private:
  SparseKeep keep_;
  std::int64_t window_;
  std::vector<bool> offset_;  ///< by |n|
  std::vector<bool> flags_;
  std::vector<std::int64_t> segments_;
};

}  // namespace posiscope::schemes

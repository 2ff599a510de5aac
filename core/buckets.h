// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace posiscope {

/// T5's relative position buckets: near distances one each, far ones in steps that grow like a logarithm.
struct BucketParams {
  std::int64_t num_buckets = 32;
  std::int64_t max_distance = 128;
  bool bidirectional = true;  ///< half of the buckets for keys ahead of the query

  /// Buckets of one direction.
  std::int64_t side() const { return bidirectional ? num_buckets / 2 : num_buckets; }
};

/// Errors: out_of_range for fewer than two buckets a side, or a max_distance within the near distances.
Outcome checkBuckets(std::string_view owner, const BucketParams& params);

/// The smallest distance of each bucket of one side, exact (no rounded logarithm). A bucket that stays empty has
/// the edge of the one after it. Needs side ≥ 2 and max_distance > side / 2.
std::vector<std::int64_t> bucketEdges(std::int64_t side, std::int64_t max_distance);

/// The bucket of r = key − query ("memory minus query"), given the edges of one side.
std::int64_t bucketOf(const BucketParams& params, const std::vector<std::int64_t>& edges, std::int64_t r);

/// DeBERTa's signed buckets: offsets up to the middle one each, farther ones in logarithmic steps, rounded up.
struct LogBucketParams {
  std::int64_t position_buckets = 256;
  std::int64_t max_distance = 512;  ///< max_relative_positions
  bool clamped = true;              ///< Microsoft's code limits n to ±(max_distance − 1) first, Hugging Face's does not

  std::int64_t middle() const { return position_buckets / 2; }
};

/// Errors: out_of_range for fewer than two buckets, or a max_distance that leaves no room for steps.
Outcome checkLogBuckets(std::string_view owner, const LogBucketParams& params);

/// The bucket of n = query − key: n itself up to the middle m, else sign(n)·(m + ⌈ln(|n|/m) / ln((max − 1)/m) ·
/// (m − 1)⌉), exact (no rounded logarithm). Odd in n; ±(2m − 1) at ±(max_distance − 1).
std::int64_t logBucketOf(const LogBucketParams& params, std::int64_t n);

}  // namespace posiscope

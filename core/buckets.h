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

}  // namespace posiscope

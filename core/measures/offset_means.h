// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/job.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace posiscope::measures {

/// The bias of all heads over consecutive offsets.
struct OffsetMeans {
  std::int64_t heads = 0;
  std::int64_t offsets = 0;
  std::int64_t first = 0;   ///< the first offset: 0, or −(keys − 1)
  std::vector<float> mean;  ///< [heads, offsets]
  std::vector<float> low;   ///< smallest and largest over the queries; empty where the offset alone decides
  std::vector<float> high;
  double spread = 0;         ///< the largest high − low
  std::int64_t queries = 0;  ///< how many were looked at
  bool draft = false;
};

/// The values themselves.
OffsetMeans offsetMeans(const OffsetBias<float>& bias, bool negative);

/// Means over all queries, or over evenly spread ones, the first and the last included, when there are too many pairs;
/// a draft looks at an eighth of them. In parallel, the same on any number of threads. Nothing when the job was
/// stopped.
std::optional<OffsetMeans> offsetMeans(const PairBias<float>& bias, const Shape& shape, bool negative, bool draft,
                                       const Job& job);

}  // namespace posiscope::measures

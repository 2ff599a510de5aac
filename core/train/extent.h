// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/grid.h"
#include "core/job.h"
#include "core/parallel.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>

namespace posiscope::train {

/// Some whole sequences of a batch, worked on by one thread.
struct Sequences {
  std::int64_t group = 0;  ///< their number among the groups of the batch
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t length = 0;

  std::int64_t firstRow() const { return first * length; }
  std::int64_t rows() const { return count * length; }
};

/// The size of a batch and how it is cut into groups. The cut depends on the size alone, not on the number of threads,
/// so neither do sums that are formed group by group.
struct Extent {
  std::int64_t sequences = 0;
  std::int64_t length = 0;
  std::optional<Grid> grid = {};

  std::int64_t rows() const { return sequences * length; }
  /// About 128 rows: enough for fast products, few enough for the second cache.
  std::int64_t groupSize() const {
    return std::clamp<std::int64_t>(128 / std::max<std::int64_t>(1, length), 1, sequences);
  }
  std::int64_t groups() const { return (sequences + groupSize() - 1) / groupSize(); }

  bool operator==(const Extent&) const = default;
};

/// The job of what is always done to its end.
const Job& neverStopped();

/// Blocks of [0, count) over the threads, without an allocation: only a reference to `body` is kept. A step is never
/// stopped halfway; whoever trains looks at its own job between two of them.
template <class Body>
void inBlocks(std::int64_t count, std::int64_t block, const Body& body) {
  parallelBlocks(count, block, neverStopped(), std::cref(body));
}

/// Every group of a batch over the threads.
template <class Body>
void inGroups(const Extent& extent, const Body& body) {
  inBlocks(extent.groups(), 1, [&](std::int64_t group, std::int64_t) {
    const std::int64_t first = group * extent.groupSize();
    body(Sequences{group, first, std::min(extent.groupSize(), extent.sequences - first), extent.length});
  });
}

}  // namespace posiscope::train

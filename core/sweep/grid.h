// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sweep/spec_values.h"

#include <cstddef>
#include <vector>

namespace posiscope::sweep {

/// How many points a grid has; 1 without axes. Counts no further than a little above `most`.
inline std::size_t pointCount(const std::vector<Axis>& axes, std::size_t most) {
  std::size_t count = 1;
  for (const Axis& axis : axes)
    if (count <= most) count *= axis.values.size();
  return count;
}

/// Point number `n`: for each axis the index of its value. The last axis goes round first.
inline std::vector<std::size_t> pointOf(const std::vector<Axis>& axes, std::size_t n) {
  std::vector<std::size_t> point(axes.size());
  for (std::size_t a = axes.size(); a-- > 0;) {
    point[a] = n % axes[a].values.size();
    n /= axes[a].values.size();
  }
  return point;
}

}  // namespace posiscope::sweep

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/metrics/position_losses.h"

#include <limits>

namespace posiscope::train {

std::vector<double> positionLosses(const Batch& batch, std::span<const double> row_losses) {
  std::vector<double> sums(static_cast<std::size_t>(batch.length));
  std::vector<std::int64_t> counts(sums.size());
  for (std::size_t r = 0; r < row_losses.size(); ++r) {
    if (batch.targets[r] < 0) continue;
    sums[r % sums.size()] += row_losses[r];
    ++counts[r % sums.size()];
  }
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[i] = counts[i] > 0 ? sums[i] / static_cast<double>(counts[i]) : std::numeric_limits<double>::quiet_NaN();
  return sums;
}

}  // namespace posiscope::train

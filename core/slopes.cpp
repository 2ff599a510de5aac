// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/slopes.h"

#include <bit>
#include <cmath>

namespace posiscope {

std::vector<double> alibiSlopes(std::int64_t num_heads, double max_bias, SlopeRule rule) {
  const std::int64_t power = rule == SlopeRule::text
                                 ? num_heads
                                 : static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(num_heads)));
  const auto p = static_cast<double>(power);
  std::vector<double> slopes;
  for (std::int64_t h = 0; h < power; ++h) slopes.push_back(std::exp2(-max_bias * static_cast<double>(h + 1) / p));
  for (std::int64_t t = 0; t < num_heads - power; ++t)
    slopes.push_back(std::exp2(-max_bias * static_cast<double>(2 * t + 1) / (2.0 * p)));
  return slopes;
}

}  // namespace posiscope

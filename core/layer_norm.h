// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <span>

namespace posiscope {

/// (x − mean) / √(variance + eps) · gain + offset, in place; the biased variance (divisor d), in double. An empty gain
/// is 1, an empty offset 0. A constant row becomes the offset. Ba, Kiros and Hinton 2016.
template <class T>
void layerNorm(std::span<T> row, std::span<const double> gain, std::span<const double> offset, double eps) {
  assert(gain.empty() || gain.size() == row.size());
  assert(offset.empty() || offset.size() == row.size());
  const auto width = static_cast<double>(row.size());
  double mean = 0;
  for (const T x : row) mean += static_cast<double>(x) / width;
  double variance = 0;
  for (const T x : row) variance += (static_cast<double>(x) - mean) * (static_cast<double>(x) - mean) / width;
  const double scale = 1.0 / std::sqrt(variance + eps);
  for (std::size_t d = 0; d < row.size(); ++d) {
    const double normal = (static_cast<double>(row[d]) - mean) * scale;
    row[d] = static_cast<T>(normal * (gain.empty() ? 1.0 : gain[d]) + (offset.empty() ? 0.0 : offset[d]));
  }
}

}  // namespace posiscope

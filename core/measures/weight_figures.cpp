// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/weight_figures.h"

#include "core/parallel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace posiscope::measures {
namespace {

/// ln x of a normal positive float, without a branch, so that a loop over it becomes vector instructions:
/// x = 2^e·m with m in [√½, √2), ln m = 2·artanh(t), t = (m − 1)/(m + 1), |t| < 0.172, series to t⁹ (1e-9).
float logarithm(float x) {
  const auto bits = std::bit_cast<std::int32_t>(x);
  constexpr std::int32_t root_half = 0x3f3504f3;
  const std::int32_t exponent = (bits - root_half) >> 23;
  const float m = std::bit_cast<float>(bits - (exponent << 23));
  const float t = (m - 1) / (m + 1);
  const float s = t * t;
  const float series = 2 * t * (1 + s * (1.0F / 3 + s * (1.0F / 5 + s * (1.0F / 7 + s * (1.0F / 9)))));
  return series + 0.693147181F * static_cast<float>(exponent);
}

}  // namespace

double rowEntropy(std::span<const float> row) {
  constexpr std::size_t lanes = 16;
  constexpr float smallest_normal = 1.17549435e-38F;
  std::array<float, lanes> sums{};
  std::size_t c = 0;
  for (; c + lanes <= row.size(); c += lanes)
    for (std::size_t k = 0; k < lanes; ++k) {
      const float a = row[c + k];
      sums[k] += a * logarithm(std::max(a, smallest_normal));
    }
  for (; c < row.size(); ++c) sums[0] += row[c] * logarithm(std::max(row[c], smallest_normal));
  return std::max(0.0, -static_cast<double>(std::accumulate(sums.begin(), sums.end(), 0.0F)));
}

std::vector<WeightFigures> weightFigures(const float* weights, std::int64_t heads, const Shape& shape,
                                         std::int64_t first_offset, const Job& job) {
  const std::int64_t queries = shape.queries();
  const std::int64_t keys = shape.keys();
  const std::int64_t offsets = keys - first_offset;
  std::vector<WeightFigures> figures(static_cast<std::size_t>(heads));
  const bool complete = parallelBlocks(heads, 1, job, [&](std::int64_t head, std::int64_t) {
    std::vector<float> sums(static_cast<std::size_t>(offsets));
    double entropy = 0;
    std::int64_t rows = 0;
    for (std::int64_t i = 0; i < queries && !job.stopped(); ++i) {
      const float* row = weights + (head * queries + i) * keys;
      const std::int64_t p = i + shape.queryOffset();
      // n = p − j: the keys of this row, last to first, are consecutive offsets.
      const std::int64_t last_key = std::min(keys - 1, p - first_offset);
      float* at = sums.data() + (p - last_key - first_offset);
      for (std::int64_t j = last_key; j >= 0; --j) *at++ += row[j];
      const std::span<const float> looked_at(row, static_cast<std::size_t>(last_key + 1));
      if (std::ranges::all_of(looked_at, [](float a) { return a == 0; })) continue;
      entropy += rowEntropy(looked_at);
      ++rows;
    }
    WeightFigures& out = figures[static_cast<std::size_t>(head)];
    out.entropy = rows > 0 ? entropy / static_cast<double>(rows) : 0;
    for (std::int64_t k = 0; k < offsets; ++k) {
      const std::int64_t n = first_offset + k;
      // Rows p from queryOffset to keys − 1 with 0 ≤ p − n < keys.
      const std::int64_t low = std::max(shape.queryOffset(), n);
      const std::int64_t high = std::min(keys - 1, keys - 1 + n);
      const auto count = static_cast<double>(std::max<std::int64_t>(1, high - low + 1));
      out.by_offset.push_back(static_cast<double>(sums[static_cast<std::size_t>(k)]) / count);
    }
  });
  if (!complete || job.stopped()) figures.clear();
  return figures;
}

}  // namespace posiscope::measures

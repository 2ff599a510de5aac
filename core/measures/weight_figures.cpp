// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/weight_figures.h"

#include "core/parallel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
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

/// How many pairs of a query and a key that it may look at lie at each offset n = first …
class PairCounts {
 public:
  PairCounts(const Mask& mask, const Shape& shape, std::int64_t first)
      : mask_(mask), shape_(shape), first_(first), steps_(static_cast<std::size_t>(shape.keys() - first + 1)) {}

  /// Counts the pairs of row i so many times.
  void add(std::int64_t i, std::int64_t times) {
    const std::int64_t p = i + shape_.queryOffset();
    const auto [begin, end] = mask_.span(shape_, i);
    if (!mask_.hasHoles()) return addRun(p - end + 1, p - begin, times);
    for (std::int64_t j = begin; j < end; ++j)
      if (mask_.allows(shape_, i, j)) addRun(p - j, p - j, times);
  }
  std::vector<std::int64_t> byOffset() const {
    std::vector<std::int64_t> counts(steps_.size());
    std::partial_sum(steps_.begin(), steps_.end(), counts.begin());
    counts.pop_back();
    return counts;
  }

 private:
  void addRun(std::int64_t low, std::int64_t high, std::int64_t times) {
    low = std::max(low, first_);
    if (low > high) return;
    steps_[static_cast<std::size_t>(low - first_)] += times;
    steps_[static_cast<std::size_t>(high + 1 - first_)] -= times;
  }

  const Mask& mask_;
  const Shape& shape_;
  std::int64_t first_;
  std::vector<std::int64_t> steps_;  ///< from each offset to the next
};

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
  const double entropy = -static_cast<double>(std::accumulate(sums.begin(), sums.end(), 0.0F));
  return entropy < 0 ? 0 : entropy;
}

std::vector<WeightFigures> weightFigures(const float* weights, std::int64_t heads, const Mask& mask, const Shape& shape,
                                         std::int64_t first_offset, const Job& job) {
  const std::int64_t queries = shape.queries();
  const std::int64_t keys = shape.keys();
  PairCounts all(mask, shape, first_offset);
  for (std::int64_t i = 0; i < queries && !job.stopped(); ++i) all.add(i, 1);
  std::vector<WeightFigures> figures(static_cast<std::size_t>(heads));
  const bool complete = parallelBlocks(heads, 1, job, [&](std::int64_t head, std::int64_t) {
    std::vector<float> sums(static_cast<std::size_t>(keys - first_offset));
    PairCounts pairs = all;
    double entropy = 0;
    std::int64_t rows = 0, undefined = 0;
    for (std::int64_t i = 0; i < queries && !job.stopped(); ++i) {
      const float* row = weights + (head * queries + i) * keys;
      const std::int64_t p = i + shape.queryOffset();
      // n = p − j: the keys of this row, last to first, are consecutive offsets.
      const std::int64_t last_key = std::min(keys - 1, p - first_offset);
      const std::span<const float> looked_at(row, static_cast<std::size_t>(last_key + 1));
      const bool empty = std::ranges::all_of(looked_at, [](float a) { return a == 0; });
      const double spread = empty ? 0 : rowEntropy(looked_at);
      if (empty || std::isnan(spread)) {
        undefined += empty ? 0 : 1;
        pairs.add(i, -1);
        continue;
      }
      float* at = sums.data() + (p - last_key - first_offset);
      for (std::int64_t j = last_key; j >= 0; --j) *at++ += row[j];
      entropy += spread;
      ++rows;
    }
    WeightFigures& out = figures[static_cast<std::size_t>(head)];
    out.undefined = undefined;
    out.entropy = rows > 0 ? entropy / static_cast<double>(rows) : 0;
    const std::vector<std::int64_t> counts = pairs.byOffset();
    out.by_offset.reserve(counts.size());
    for (std::size_t k = 0; k < counts.size(); ++k)
      out.by_offset.push_back(counts[k] > 0 ? static_cast<double>(sums[k]) / static_cast<double>(counts[k])
                                            : std::numeric_limits<double>::quiet_NaN());
  });
  if (!complete || job.stopped()) figures.clear();
  return figures;
}

}  // namespace posiscope::measures

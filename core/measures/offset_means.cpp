// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/offset_means.h"

#include "core/parallel.h"

#include <algorithm>
#include <limits>

namespace posiscope::measures {
namespace {

/// Cells of a bias that are asked for (about half a second for the slowest of them).
constexpr double most_cells = 2e7;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

std::vector<std::int64_t> spreadQueries(std::int64_t queries, std::int64_t taken) {
  std::vector<std::int64_t> result;
  for (std::int64_t k = 0; k < taken; ++k) result.push_back(taken == 1 ? queries - 1 : k * (queries - 1) / (taken - 1));
  return result;
}

/// Sums of one head; row h of the result.
void addHead(OffsetMeans& result, const PairBias<float>& bias, const Shape& shape, std::int64_t head,
             const std::vector<std::int64_t>& queries, const Job& job) {
  std::vector<float> row(index(shape.keys()));
  std::vector<double> sums(index(result.offsets), 0.0);
  std::vector<std::int64_t> counts(sums.size(), 0);
  const auto low = result.low.begin() + head * result.offsets;
  const auto high = result.high.begin() + head * result.offsets;
  for (const std::int64_t i : queries) {
    if (job.stopped()) return;
    bias.fill(head, i, row);
    const std::int64_t n0 = i + shape.queryOffset() - result.first;  // column of key 0
    for (std::int64_t j = 0; j < shape.keys(); ++j) {
      const std::int64_t c = n0 - j;
      if (c < 0 || c >= result.offsets) continue;
      const float value = row[index(j)];
      sums[index(c)] += static_cast<double>(value);
      ++counts[index(c)];
      low[c] = std::min(low[c], value);
      high[c] = std::max(high[c], value);
    }
  }
  for (std::int64_t c = 0; c < result.offsets; ++c)
    result.mean[index(head * result.offsets + c)] =
        static_cast<float>(sums[index(c)] / static_cast<double>(counts[index(c)]));
}

}  // namespace

OffsetMeans offsetMeans(const OffsetBias<float>& bias, bool negative) {
  OffsetMeans result;
  result.heads = bias.heads;
  result.first = negative ? -bias.max_offset : 0;
  result.offsets = bias.max_offset - result.first + 1;
  result.mean.resize(index(result.heads * result.offsets));
  const std::int64_t width = 2 * bias.max_offset + 1;
  parallelBlocks(bias.heads, 1, Job(), [&](std::int64_t h, std::int64_t) {
    const auto from = bias.values.begin() + h * width + bias.max_offset + result.first;
    // A slope times no distance is −0, which reads as if it meant something where it is written out.
    std::transform(from, from + result.offsets, result.mean.begin() + h * result.offsets,
                   [](float value) { return value + 0.0F; });
  });
  return result;
}

std::optional<OffsetMeans> offsetMeans(const PairBias<float>& bias, const Shape& shape, bool negative, bool draft,
                                       const Job& job) {
  OffsetMeans result;
  result.heads = shape.num_heads;
  // The first query sees the farthest key ahead, the last one the farthest behind: no offset between is left out.
  result.first = negative ? shape.queryOffset() - (shape.keys() - 1) : 0;
  result.offsets = shape.queryOffset() + shape.queries() - result.first;
  const double cells = static_cast<double>(result.heads) * static_cast<double>(shape.keys());
  const auto affordable = static_cast<std::int64_t>(std::max(2.0, most_cells / cells));
  const std::int64_t full = std::min(shape.queries(), affordable);
  result.queries = draft ? std::max(std::min<std::int64_t>(full, 16), full / 8) : full;
  result.draft = result.queries < full;
  const std::vector<std::int64_t> queries = spreadQueries(shape.queries(), result.queries);
  const std::size_t size = index(result.heads * result.offsets);
  result.mean.resize(size);
  result.low.assign(size, std::numeric_limits<float>::infinity());
  result.high.assign(size, -std::numeric_limits<float>::infinity());
  const bool complete = parallelBlocks(result.heads, 1, job, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t h = begin; h < end; ++h) addHead(result, bias, shape, h, queries, job);
  });
  if (!complete || job.stopped()) return std::nullopt;
  for (std::size_t e = 0; e < size; ++e)
    result.spread = std::max(result.spread, static_cast<double>(result.high[e]) - static_cast<double>(result.low[e]));
  return result;
}

}  // namespace posiscope::measures

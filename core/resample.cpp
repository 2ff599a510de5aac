// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/resample.h"

#include "core/parallel.h"

#include <algorithm>
#include <cmath>

namespace posiscope {
namespace {

/// Keys's cubic convolution kernel with parameter a, t ≥ 0.
double cubic(double t, double a) {
  if (t <= 1) return ((a + 2) * t - (a + 3)) * t * t + 1;
  if (t < 2) return ((a * t - 5 * a) * t + 8 * a) * t - 4 * a;
  return 0;
}

double triangle(double t) { return std::max(0.0, 1 - t); }

/// PIL's rule: the kernel is widened by the shrinking factor, cut at the table's ends and renormalised.
std::vector<WeightedRow> widened(Interpolation kernel, std::int64_t from, double scale, std::int64_t place) {
  const bool is_cubic = kernel == Interpolation::cubic;
  const double wide = std::max(scale, 1.0);
  const double support = (is_cubic ? 2 : 1) * wide;
  const double centre = scale * (static_cast<double>(place) + 0.5);
  const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(centre - support + 0.5));
  const auto last = std::min(from, static_cast<std::int64_t>(centre + support + 0.5));
  std::vector<WeightedRow> rows;
  double sum = 0;
  for (std::int64_t r = first; r < last; ++r) {
    const double t = std::abs((static_cast<double>(r) + 0.5 - centre) / wide);
    rows.push_back({r, is_cubic ? cubic(t, -0.5) : triangle(t)});
    sum += rows.back().weight;
  }
  for (WeightedRow& row : rows) row.weight /= sum;
  return rows;
}

/// The rows around a place, those outside replaced by the border.
std::vector<WeightedRow> bordered(Interpolation kernel, std::int64_t from, double place) {
  const auto below = static_cast<std::int64_t>(std::floor(place));
  const double t = place - static_cast<double>(below);
  const auto inside = [from](std::int64_t row) { return std::clamp<std::int64_t>(row, 0, from - 1); };
  if (kernel == Interpolation::linear) return {{inside(below), 1 - t}, {inside(below + 1), t}};
  constexpr double a = -0.75;
  return {{inside(below - 1), cubic(1 + t, a)},
          {inside(below), cubic(t, a)},
          {inside(below + 1), cubic(1 - t, a)},
          {inside(below + 2), cubic(2 - t, a)}};
}

/// The weighted sum of rows that stand `stride` numbers apart.
void gather(const std::vector<WeightedRow>& rows, const double* table, std::int64_t stride, std::int64_t width,
            double* out) {
  std::fill_n(out, width, 0.0);
  for (const auto& [row, weight] : rows) {
    const double* from = table + row * stride;
    for (std::int64_t c = 0; c < width; ++c) out[c] += weight * from[c];
  }
}

}  // namespace

std::vector<std::vector<WeightedRow>> resampleWeights(const Resampling& rule, std::int64_t from, std::int64_t to) {
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  std::vector<std::vector<WeightedRow>> weights;
  weights.reserve(static_cast<std::size_t>(to));
  for (std::int64_t o = 0; o < to; ++o) {
    if (rule.antialias) {
      weights.push_back(widened(rule.kernel, from, scale, o));
      continue;
    }
    double place = (static_cast<double>(o) + 0.5) * scale - 0.5;
    if (rule.align_corners)
      place = to > 1 ? static_cast<double>(o * (from - 1)) / static_cast<double>(to - 1) : 0;
    else if (rule.kernel == Interpolation::linear)
      place = std::max(place, 0.0);  // the cubic rule does not clamp the place, only the rows
    weights.push_back(bordered(rule.kernel, from, place));
  }
  return weights;
}

Table<double> resampleRows(const Resampling& rule, Rows<double> table, std::int64_t to) {
  const auto weights = resampleWeights(rule, table.rows, to);
  Table<double> result = makeTable<double>(to, table.cols);
  parallelBlocks(to, 64, Job{}, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t o = begin; o < end; ++o)
      gather(weights[static_cast<std::size_t>(o)], table.data, table.cols, table.cols, result.row(o).data());
  });
  return result;
}

Table<double> resampleGrid(const Resampling& rule, Rows<double> table, const Grid& from, const Grid& to) {
  // Whole rows of patches first, then the patches inside each new row.
  const std::int64_t line = from.width * table.cols;
  const Table<double> tall = resampleRows(rule, {table.data, from.height, line}, to.height);
  const auto across = resampleWeights(rule, from.width, to.width);
  Table<double> result = makeTable<double>(to.patches(), table.cols);
  parallelBlocks(to.height, 1, Job{}, [&](std::int64_t y, std::int64_t) {
    for (std::int64_t x = 0; x < to.width; ++x)
      gather(across[static_cast<std::size_t>(x)], tall.values.data() + y * line, table.cols, table.cols,
             result.row(y * to.width + x).data());
  });
  return result;
}

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sinusoidal_axes.h"

#include "core/parallel.h"

#include <algorithm>

namespace posiscope {
namespace {

/// The columns of one axis: frequency i has its sine at sine + i·stride.
struct Columns {
  std::int64_t sine, cosine, stride;
};

Columns columnsOf(AxesColumns columns, std::int64_t axis, std::int64_t axes, std::int64_t q) {
  switch (columns) {
    case AxesColumns::concatenated: return {2 * q * axis, 2 * q * axis + q, 1};
    case AxesColumns::interleaved: return {2 * q * axis, 2 * q * axis + 1, 2};
    case AxesColumns::grouped: break;
  }
  return {q * axis, q * (axes + axis), 1};
}

/// The waves of one axis at each coordinate that occurs: a grid has few of them and many tokens.
class AxisWaves {
 public:
  AxisWaves(const SinusoidalParams& params, std::vector<double> coordinates, std::int64_t q)
      : distinct_(std::move(coordinates)) {
    std::ranges::sort(distinct_);
    distinct_.erase(std::unique(distinct_.begin(), distinct_.end()), distinct_.end());
    rows_ = makeTable<double>(static_cast<std::int64_t>(distinct_.size()), 2 * q);
    const std::vector<double> frequencies = sinusoidalFrequencies(params, 2 * q);
    parallelBlocks(rows_.rows, 16, Job{}, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t r = begin; r < end; ++r)
        sinusoidalRow<double>(params, frequencies, distinct_[static_cast<std::size_t>(r)], rows_.row(r));
    });
  }

  /// All sines, then all cosines.
  std::span<const double> at(double coordinate) const {
    return rows_.row(std::ranges::lower_bound(distinct_, coordinate) - distinct_.begin());
  }

 private:
  std::vector<double> distinct_;
  Table<double> rows_;
};

}  // namespace

std::int64_t frequenciesPerAxis(std::int64_t width, std::int64_t axes) { return width / (2 * axes); }

template <class T>
Table<T> sinusoidalAxesTable(const SinusoidalAxes& params, const std::vector<std::vector<double>>& coordinates,
                             std::int64_t width) {
  const auto axes = static_cast<std::int64_t>(coordinates.size());
  const std::int64_t q = frequenciesPerAxis(width, axes);
  const SinusoidalParams waves{SinusoidalColumns::concatenated, params.frequencies, params.base, 1};
  Table<T> table = makeTable<T>(static_cast<std::int64_t>(coordinates.front().size()), width);
  for (std::int64_t a = 0; a < axes; ++a) {
    const std::vector<double>& along = coordinates[static_cast<std::size_t>(a)];
    const AxisWaves axis(waves, along, q);
    const Columns to = columnsOf(params.columns, a, axes, q);
    parallelBlocks(table.rows, 256, Job{}, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t t = begin; t < end; ++t) {
        const std::span<const double> row = axis.at(along[static_cast<std::size_t>(t)]);
        const std::span<T> out = table.row(t);
        for (std::int64_t i = 0; i < q; ++i) {
          out[static_cast<std::size_t>(to.sine + i * to.stride)] = static_cast<T>(row[static_cast<std::size_t>(i)]);
          out[static_cast<std::size_t>(to.cosine + i * to.stride)] =
              static_cast<T>(row[static_cast<std::size_t>(q + i)]);
        }
      }
    });
  }
  return table;
}

template Table<float> sinusoidalAxesTable(const SinusoidalAxes&, const std::vector<std::vector<double>>&, std::int64_t);
template Table<double> sinusoidalAxesTable(const SinusoidalAxes&, const std::vector<std::vector<double>>&,
                                           std::int64_t);

}  // namespace posiscope

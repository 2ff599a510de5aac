// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/grid_offsets.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace posiscope {
namespace {

/// The cells of one axis that a resized cell is made of, and their weights.
template <std::size_t N>
struct Taps {
  std::array<std::int64_t, N> cell;
  std::array<double, N> weight;
};

/// Where the centre of cell `to` of `target` lies among `source` cells.
double sourceCentre(std::int64_t to, std::int64_t source, std::int64_t target) {
  return (static_cast<double>(to) + 0.5) * static_cast<double>(source) / static_cast<double>(target) - 0.5;
}

/// Keys' cubic convolution with a = −0.75, the value of PyTorch's bicubic.
Taps<4> cubicTaps(std::int64_t to, std::int64_t source, std::int64_t target) {
  constexpr double a = -0.75;
  const double centre = sourceCentre(to, source, target);
  const double base = std::floor(centre);
  const double t = centre - base;
  const auto near = [](double x) { return ((a + 2) * x - (a + 3)) * x * x + 1; };       // |x| ≤ 1
  const auto far = [](double x) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; };  // 1 < |x| < 2
  Taps<4> taps{{}, {far(t + 1), near(t), near(1 - t), far(2 - t)}};
  for (std::int64_t k = 0; k < 4; ++k)
    taps.cell[static_cast<std::size_t>(k)] =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(base) - 1 + k, 0, source - 1);
  return taps;
}

Taps<2> linearTaps(std::int64_t to, std::int64_t source, std::int64_t target) {
  const double centre = std::max(0.0, sourceCentre(to, source, target));
  const auto low = std::min(static_cast<std::int64_t>(centre), source - 1);
  const double t = centre - static_cast<double>(low);
  return {{low, std::min(low + 1, source - 1)}, {1 - t, t}};
}

}  // namespace

std::int64_t squareSideOf(std::int64_t offset_rows) {
  const auto line = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(offset_rows))));
  return line % 2 == 1 && line * line == offset_rows ? (line + 1) / 2 : 0;
}

Table<double> resizedOffsets(const Table<double>& table, std::int64_t from_rows, std::int64_t from_cols,
                             std::int64_t to_rows, std::int64_t to_cols) {
  const std::int64_t extra = table.rows - from_rows * from_cols;
  Table<double> out = makeTable<double>(to_rows * to_cols + extra, table.cols);
  for (std::int64_t y = 0; y < to_rows; ++y)
    for (std::int64_t x = 0; x < to_cols; ++x) {
      const Taps<4> rows = cubicTaps(y, from_rows, to_rows);
      const Taps<4> cols = cubicTaps(x, from_cols, to_cols);
      const std::span<double> cell = out.row(y * to_cols + x);
      for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t b = 0; b < 4; ++b)
          for (std::size_t c = 0; c < cell.size(); ++c)
            cell[c] += rows.weight[a] * cols.weight[b] * table.row(rows.cell[a] * from_cols + cols.cell[b])[c];
    }
  std::copy_n(table.values.end() - extra * table.cols, extra * table.cols, out.values.end() - extra * table.cols);
  return out;
}

Table<double> resizedRows(const Table<double>& table, std::int64_t target) {
  if (table.rows == target) return table;
  Table<double> out = makeTable<double>(target, table.cols);
  for (std::int64_t r = 0; r < target; ++r) {
    const Taps<2> taps = linearTaps(r, table.rows, target);
    for (std::size_t c = 0; c < out.row(r).size(); ++c)
      out.row(r)[c] = taps.weight[0] * table.row(taps.cell[0])[c] + taps.weight[1] * table.row(taps.cell[1])[c];
  }
  return out;
}

}  // namespace posiscope

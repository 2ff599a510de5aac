// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/grid.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace posiscope {

/// Rows of a table with one row for each offset of two patches, (2h − 1)(2w − 1).
inline std::int64_t offsetRows(const Grid& grid) { return (2 * grid.height - 1) * (2 * grid.width - 1); }

/// The row for places i and j of a window with these sides, numbered row-major: every offset i − j has its own, 0 to
/// Π(2s − 1) − 1, and offset zero the middle one. Each axis counts as many steps as all axes after it have offsets.
template <std::size_t Axes>
std::int64_t offsetRow(const std::array<std::int64_t, Axes>& sides, std::int64_t i, std::int64_t j) {
  std::int64_t row = 0;
  std::int64_t step = 1;
  for (std::size_t a = Axes; a-- > 0;) {
    row += (i % sides[a] - j % sides[a] + sides[a] - 1) * step;
    step *= 2 * sides[a] - 1;
    i /= sides[a];
    j /= sides[a];
  }
  return row;
}

/// Swin's row for query patch i and key patch j: (Δy + h − 1)(2w − 1) + Δx + w − 1, Δ = query − key. Exchanging i and j
/// gives the last row minus it.
inline std::int64_t offsetRow(const Grid& grid, std::int64_t i, std::int64_t j) {
  return offsetRow(std::array{grid.height, grid.width}, i, j);
}

/// The side of a square window with so many offsets, (2s − 1)²; 0 when there is none.
std::int64_t squareSideOf(std::int64_t offset_rows);

/// A table of offsets resized from one grid's to another's: bicubic (a = −0.75, half-pixel centres, the border
/// clamped, no antialiasing) on the (2h − 1) × (2w − 1) picture of each column. Rows after the picture are kept.
Table<double> resizedOffsets(const Table<double>& table, std::int64_t from_rows, std::int64_t from_cols,
                             std::int64_t to_rows, std::int64_t to_cols);

/// A table of `rows` rows resized to `target`: linear, half-pixel centres, ends clamped.
Table<double> resizedRows(const Table<double>& table, std::int64_t target);

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/grid.h"

#include <cstdint>

namespace posiscope {

/// Rows of a table with one row for each offset of two patches, (2h − 1)(2w − 1).
inline std::int64_t offsetRows(const Grid& grid) { return (2 * grid.height - 1) * (2 * grid.width - 1); }

/// Swin's row for query patch i and key patch j: (Δy + h − 1)(2w − 1) + Δx + w − 1, Δ = query − key. Exchanging i and j
/// gives the last row minus it.
inline std::int64_t offsetRow(const Grid& grid, std::int64_t i, std::int64_t j) {
  const std::int64_t dy = grid.row(i) - grid.row(j);
  const std::int64_t dx = grid.column(i) - grid.column(j);
  return (dy + grid.height - 1) * (2 * grid.width - 1) + dx + grid.width - 1;
}

/// A table of offsets resized from one grid's to another's: bicubic (a = −0.75, half-pixel centres, the border
/// clamped, no antialiasing) on the (2h − 1) × (2w − 1) picture of each column. Rows after the picture are kept.
Table<double> resizedOffsets(const Table<double>& table, std::int64_t from_rows, std::int64_t from_cols,
                             std::int64_t to_rows, std::int64_t to_cols);

/// A table of `rows` rows resized to `target`: linear, half-pixel centres, ends clamped.
Table<double> resizedRows(const Table<double>& table, std::int64_t target);

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/grid.h"
#include "core/scheme.h"

namespace posiscope::schemes {

struct SwinParams {
  std::int64_t window = 0;  ///< side of the windows, in patches; 0 = the whole grid is one window
  std::int64_t shift = 0;   ///< the grid is rolled by −shift on both axes before it is cut
  double masked_bias = -100;
  double std = 0.5;
  std::int64_t seed = 1;
  Array table;  ///< ((2h − 1)(2w − 1), heads) of a window
};

/// A grid cut into windows after rolling it.
class SwinWindows {
 public:
  /// A grid whose smaller side is not above the window becomes windows of that side, not shifted, as in the official
  /// block. Errors: bad_shape when the windows do not fill the grid, out_of_range for a shift of a window or more.
  static Expected<SwinWindows> cut(const Grid& grid, const SwinParams& params);

  const Grid& window() const { return window_; }
  std::int64_t count() const { return grid_.patches() / window_.patches(); }
  /// Where token t of the grid is: its window, and its place inside, row-major.
  struct Place {
    std::int64_t window;
    std::int64_t token;
  };
  Place placeOf(std::int64_t t) const;
  /// Which of the up to nine regions that the roll brings together holds this place; pairs of different regions were
  /// not neighbours and are masked.
  std::int64_t regionOf(Place place) const;

 private:
  SwinWindows(const Grid& grid, const Grid& window, std::int64_t shift) : grid_(grid), window_(window), shift_(shift) {}

  Grid grid_;
  Grid window_;
  std::int64_t shift_;
};

/// A table of window offsets with shifted windows (Liu et al. 2021).
Scheme swin();

}  // namespace posiscope::schemes

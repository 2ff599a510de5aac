// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field.h"

#include <cstdint>
#include <optional>

namespace posiscope {

/// Where two maps of one shape differ, and whether only the order of their columns does.
struct Agreement {
  double largest = 0;    ///< |a − b|
  std::int64_t row = 0;  ///< … and its cell
  std::int64_t col = 0;
  std::int64_t first_column = -1;  ///< with a difference above 1e-5 of the largest number; −1 = they are equal
  /// Equal once the columns of one are brought from pairs (2p, 2p + 1) to pairs (p, p + width/2), whichever of the two
  /// has which. False when they are equal as they are.
  bool reordered = false;
};

/// Nothing unless both are stored, in the same shape and not empty. Cells without a number in both agree. O(cells).
std::optional<Agreement> agreement(const Field& a, const Field& b);

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field_share.h"

#include <algorithm>
#include <cmath>

namespace posiscope {

std::vector<Share> shares(double first, double extent, std::int64_t count, std::int64_t cells) {
  // Zooming adds up roundoff; a share that only touches a cell by less than this does not cover it.
  constexpr double touch = 1e-9;
  std::vector<Share> result(static_cast<std::size_t>(count));
  const double limit = static_cast<double>(cells);
  for (std::int64_t s = 0; s < count; ++s) {
    // Multiply before dividing: exact whenever the boundary is a whole cell.
    const double low = first + static_cast<double>(s) * extent / static_cast<double>(count);
    const double high = first + static_cast<double>(s + 1) * extent / static_cast<double>(count);
    const double centre = first + (static_cast<double>(s) + 0.5) * extent / static_cast<double>(count);
    Share& share = result[static_cast<std::size_t>(s)];
    share.begin = static_cast<std::int64_t>(std::clamp(std::floor(low + touch), 0.0, limit));
    share.end = static_cast<std::int64_t>(std::clamp(std::ceil(high - touch), 0.0, limit));
    if (centre >= 0 && centre < limit) share.centre = static_cast<std::int64_t>(centre);
  }
  return result;
}

}  // namespace posiscope

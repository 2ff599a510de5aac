// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/not_finite.h"

#include <cmath>

namespace posiscope {

std::optional<NotFinite> notFinite(const Field& field,
                                   const std::function<bool(std::int64_t row, std::int64_t col)>& masked) {
  constexpr std::int64_t most_cells = 1 << 24;
  if (field.rows() * field.cols() > most_cells) return std::nullopt;
  NotFinite found;
  for (std::int64_t row = 0; row < field.rows(); ++row)
    for (std::int64_t col = 0; col < field.cols(); ++col) {
      const float value = field.at(row, col);
      const bool finite = std::isfinite(value);
      if ((finite && found.some_finite) || (value == 0 && masked && masked(row, col))) continue;
      if (finite)
        found.some_finite = true;
      else
        ++(std::isnan(value) ? found.nans : found.infinities);
    }
  return found;
}

}  // namespace posiscope

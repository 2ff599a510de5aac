// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compute.h"

#include <optional>
#include <vector>

namespace posiscope::ui {

/// Which columns of an added table turn together, as the spectrum of its scheme says.
struct PairColumns {
  double apart = 0;  ///< columns between the two of a pair: 1 = neighbours, half the table = halves; 0 = not known

  /// The pair that dimension `dim` belongs to.
  std::optional<double> pairOf(double dim) const;
  /// The two dimensions of a pair; empty when not known.
  std::vector<double> dimensionsOf(double pair) const;
};

/// Those of a scheme of the result; unknown unless some view or the inspector asked for the spectrum.
PairColumns pairColumns(const Result& result, std::size_t scheme);

}  // namespace posiscope::ui

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"

#include <string>
#include <vector>

namespace posiscope::sweep {

/// One number of an item's summary.
struct Quantity {
  std::string name;  ///< "ones.minimum", "offset_only", "entropy"
  double value = 0;
  std::string unit = {};

  bool operator==(const Quantity&) const = default;
};

/// A dataset in few numbers: of each map and curve minimum, maximum and mean of what is finite, of a curve also its
/// last value; each metric and each property as they are. A map too large to be written has no mean, and where its
/// limits come from a sample their names say so. The names of one dataset differ.
std::vector<Quantity> quantitiesOf(const Dataset& dataset);

}  // namespace posiscope::sweep

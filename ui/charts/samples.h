// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"

#include <cstddef>

namespace posiscope::ui {

/// Index of the sample nearest to `x` in a curve that ascends, however far it is; −1 when the curve has none.
std::ptrdiff_t nearestSample(const Curve& curve, double x);

/// The same where the curve has a value at `x`; −1 more than half a step beyond its ends: 8 pairs have no pair 16.
std::ptrdiff_t sampleAt(const Curve& curve, double x);

}  // namespace posiscope::ui

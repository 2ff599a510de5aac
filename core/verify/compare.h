// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/array.h"
#include "core/verify/manifest.h"

#include <string>

namespace posiscope::verify {

/// How far an answer is from the reference.
struct Comparison {
  bool equal = false;
  double error = 0;      ///< |x − ref| at the worst element: the worst that fails, else the largest error
  double tolerance = 0;  ///< atol + rtol·|ref| there
  std::string note;      ///< what differs, when it does
};

/// Element by element. Infinities must be equal, NaN never is. `exact` allows no difference at all.
Comparison compareArrays(const Array& found, const Array& reference, const Tolerance& tolerance, bool exact);

/// The tolerance of `expected_scalars`, relative to numbers above 1.
inline constexpr double scalar_tolerance = 1e-9;
Comparison compareScalars(const std::map<std::string, double>& found, const std::map<std::string, double>& reference);

}  // namespace posiscope::verify

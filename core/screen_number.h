// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace posiscope {

/// A number as people read it on the screen: thousands of whole numbers grouped with thin spaces (131 072), at
/// most six digits otherwise. Never for files.
std::string screenNumber(double value);

/// A factor with so many digits that its product with `times` is right to four decimals.
std::string screenFactor(double factor, double times);

/// A whole number in subscript digits: "₂₁", "₋₄₀₅".
std::string subscript(std::int64_t value);

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace posiscope {

/// The cells of a field that are no numbers to draw.
struct NotFinite {
  bool some_finite = false;  ///< are there others?
  std::int64_t nans = 0;
  std::int64_t infinities = 0;
};

/// Masked zeros do not count: they stand for no number. Nothing of more than 2²⁴ cells: they are not all looked at.
std::optional<NotFinite> notFinite(const Field& field,
                                   const std::function<bool(std::int64_t row, std::int64_t col)>& masked = {});

}  // namespace posiscope

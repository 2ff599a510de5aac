// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field.h"

#include <cstdint>
#include <optional>

namespace posiscope {

/// What the cells of a field are that has no finite value.
struct NotFinite {
  std::int64_t nans = 0;
  std::int64_t infinities = 0;
};

/// Nothing where some value is finite, and of more than 2²⁴ cells: they are not all looked at.
std::optional<NotFinite> notFinite(const Field& field);

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"

#include <cstdint>
#include <vector>

namespace posiscope::measures {

/// Angle per token of each pair, radians: of the rotation (set `set`) or, without one, of the added sines; empty when
/// nothing turns. With several axes the fastest of them counts.
std::vector<double> turning(const Encoding<float>& encoding, std::int64_t set);

}  // namespace posiscope::measures

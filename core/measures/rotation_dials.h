// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure.h"

#include <cstdint>
#include <vector>

namespace posiscope::measures {

/// Angle of each pair in radians at token `token`, from 0: of the rotation, of the question's `head` where the heads
/// turn differently, of the added sines, or of a score of its own. Empty when nothing turns. Cheap for an encoding that
/// was just looked at. Errors: out_of_range, those of the scheme.
Expected<std::vector<double>> anglesAt(const Question& question, std::int64_t token);

}  // namespace posiscope::measures

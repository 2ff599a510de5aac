// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rotary.h"
#include "core/scheme.h"

namespace posiscope::schemes {

// What the schemes of the rotary family share. Their parameter structs derive from RotaryParams.

/// base, pairing.
const ParamTable<RotaryParams>& turnTable();
/// rotary_share, rotary_dim.
const ParamTable<RotaryParams>& shareTable();
/// scaling with all that belongs to it.
const ParamTable<RotaryParams>& scalingTable();

/// first_position, first_position + 1, …; [seq_len].
std::vector<double> tokenPositions(const Shape& shape);

/// One axis, one set, all heads alike; for parameters that `checkRotary` accepts.
RotationPart rotationOf(const RotaryParams& params, const Shape& shape);

/// The named numbers of these parameters: rotary_dim, effective_base, yarn_low, …
std::vector<EncodingFact> rotaryFacts(const RotaryParams& params, const Shape& shape);

/// "b = 500 000, r = 128, p = 0…63, s = 8, L = 8 192"
std::string rotarySubstitution(const RotaryParams& params, const Shape& shape);

}  // namespace posiscope::schemes

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/encode.h"

#include <map>
#include <string>
#include <string_view>

namespace posiscope::verify {

/// A case of the rotary family: the scheme's values and its encoding, always in double as far as the rotation goes.
struct RotaryCase {
  std::string id;  ///< ours
  Shape shape;
  ParamValues values;
  RotationPart part;
  double logit_scale = 1;
  std::map<std::string, double> facts;
};

/// Error: not_defined when the scheme turns nothing with these values.
Expected<RotaryCase> encodeRotary(std::string_view id, const ParamValues& values, const Shape& shape);

/// Parameters of all cases of plain and scaled rotation.
std::string ropeParams();
ParamValues ropeOf(CaseReader& in, const Shape& shape);
/// Values of rope with what the scaling brings along; a scaling without the length it belongs to is not supported.
ParamValues withLengths(CaseReader& in, ParamValues values);

/// The same rotation at any list of positions (one axis).
RotationPart rotationAt(const RotationPart& part, std::vector<double> positions);

/// The positions given, or `position_start` (0) and what follows, for `tokens` tokens.
std::vector<double> tokenPositions(CaseReader& in, std::int64_t tokens);

/// cos, sin or both ("complex") of each token and pair, attention factor included: what rotating (1, 0) gives.
/// [tokens, pairs], with the heads before it where they differ.
template <class T>
Expected<Answer> waves(const RotationPart& part, const std::string& key);

/// The input x turned, as queries or as keys; [tokens, width] or [heads, tokens, width].
template <class T>
Expected<Answer> turned(CaseReader& in, const RotationPart& part, std::int64_t width, bool keys = false);

/// 2·Σ cos(n·w) at the case's positions, attention factor included twice: what q = k = 1 scores n tokens apart.
/// [sets, offsets].
template <class T>
Expected<Answer> onesDecay(CaseReader& in, const RotationPart& part);

/// inv_freq, [pairs], or [sets, pairs] with `by_set`.
template <class T>
Answer frequencies(const RotationPart& part, bool by_set);

}  // namespace posiscope::verify

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter.h"
#include "core/scheme.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope::schemes {

/// The formula that is computed while the text parameter `key` of a scheme is empty: the example that can be taken over
/// and changed. Empty where there is none. Only the scheme `own` has examples; `values` decide which.
std::string exampleFormula(std::string_view scheme, std::string_view key, const ParamValues& values);

/// The parameters that a scheme has with these values: its own ones and, after them, the numbers that a typed formula
/// names, in the order of their first use. Values that are not legal do not matter.
std::vector<ParamSpec> paramsOf(const Scheme& scheme, const ParamValues& values);

/// Where a typed formula ends.
struct FormulaEnd {
  std::int64_t longest = 0;  ///< the longest sequence that it encodes
  Error refusal;             ///< of one token more
};

/// The first length, of those up to `most`, at which the formula of `own` has no finite value: no check of the values
/// sees that. A bounded look, at nine of the columns or heads and at about a million points; empty when it found none,
/// and for every other scheme. `step` tells in any case how close the look was.
std::optional<FormulaEnd> formulaEnd(std::string_view scheme, const ParamValues& values, const Shape& shape,
                                     std::int64_t most, std::int64_t& step);

/// The values without those of numbers that the formula does not name any more.
ParamValues withoutIdle(const Scheme& scheme, ParamValues values);

}  // namespace posiscope::schemes

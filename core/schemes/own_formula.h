// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter.h"
#include "core/scheme.h"

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

/// The values without those of numbers that the formula does not name any more.
ParamValues withoutIdle(const Scheme& scheme, ParamValues values);

}  // namespace posiscope::schemes

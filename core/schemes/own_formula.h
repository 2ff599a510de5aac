// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter.h"

#include <string>
#include <string_view>

namespace posiscope::schemes {

/// The formula that is computed while the text parameter `key` of a scheme is empty: the example that can be taken over
/// and changed. Empty where there is none. Only the scheme `own` has examples; `values` decide which.
std::string exampleFormula(std::string_view scheme, std::string_view key, const ParamValues& values);

/// Is the parameter a name for formulas (a, b, c …) that the present formula does not mention? It changes nothing then.
bool isIdleName(std::string_view scheme, std::string_view key, const ParamValues& values);

}  // namespace posiscope::schemes

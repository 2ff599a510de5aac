// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter.h"

#include <string>
#include <string_view>
#include <vector>

namespace posiscope::cli {

/// A sentence for each of the given parameters that plays no part beside the other values, as their descriptors say:
/// "rope: original_length has no effect with scaling=dynamic".
std::vector<std::string> idleValues(std::string_view owner, const std::vector<ParamSpec>& specs,
                                    const std::vector<std::string>& given, const ParamValues& values);

}  // namespace posiscope::cli

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure.h"

#include <string_view>
#include <vector>

namespace posiscope::measures {

/// All measures in the order users see.
const std::vector<Measure>& catalogue();
/// Null when there is none of that id.
const Measure* find(std::string_view id);

}  // namespace posiscope::measures

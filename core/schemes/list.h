// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scheme.h"

#include <string_view>
#include <vector>

namespace posiscope::schemes {

/// All schemes a user can choose, in the order users see.
const std::vector<Scheme>& catalogue();

/// By id; null when there is none.
const Scheme* find(std::string_view id);

}  // namespace posiscope::schemes

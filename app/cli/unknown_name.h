// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <string>
#include <string_view>
#include <vector>

namespace posiscope::cli {

/// "there is no scheme 'rop'; did you mean rope? Known: none, sinusoidal, …"
Error unknownName(std::string_view kind, std::string_view word, const std::vector<std::string>& names);

}  // namespace posiscope::cli

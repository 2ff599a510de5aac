// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text.h"

#include <cstddef>
#include <string_view>

namespace posiscope::files {

/// Where a text stops being JSON, and what stands there: "an error in line 3, column 7: '}' where a value must stand".
/// The library that reads it stops after `position` bytes, the last `kept` of which are the number or string it was
/// in, and says why in English words of its own.
Text jsonMistake(std::string_view text, std::size_t position, std::size_t kept, std::string_view words);

}  // namespace posiscope::files

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/content.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace posiscope {

/// Which token stands at each of the keys, as numbers that are equal exactly where the content is. Nothing when only
/// its arrays are known.
std::optional<std::vector<std::int64_t>> tokensOf(const ContentSpec& content, const Shape& shape);

}  // namespace posiscope

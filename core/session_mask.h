// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope::session {

// The section `mask` of a session.

/// What differs from no mask at all.
nlohmann::json maskToJson(const Mask& mask);

/// The member of a mask that a number of its section is; null for any other key.
std::int64_t* countOf(Mask& mask, std::string_view key);

/// Flags from the text that stands for them; nothing where that is no text of so many digits 0 and 1.
std::optional<std::vector<std::uint8_t>> flagsFromJson(const nlohmann::json& value, std::int64_t wanted);

}  // namespace posiscope::session

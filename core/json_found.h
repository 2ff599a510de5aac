// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace posiscope {

/// What stands in a file where something of another kind must stand: a string is called one, as "64" and 64 look
/// alike in a sentence.
Text foundText(const nlohmann::json& found);

/// checkValue for a value from a JSON file. `read` is empty where `found` is not of the parameter's kind.
Outcome checkFound(std::string_view owner, const ParamSpec& spec, const std::optional<Value>& read,
                   const nlohmann::json& found);

}  // namespace posiscope

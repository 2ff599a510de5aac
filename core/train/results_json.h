// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/results.h"

#include <nlohmann/json.hpp>

namespace posiscope::train {

/// What is measured on a trained model, without its spec and history. NaN is null.
nlohmann::ordered_json toJson(const Results& results);
/// Of what `toJson` wrote; throws nlohmann::json::exception for anything else.
Results resultsFromJson(const nlohmann::json& json);

}  // namespace posiscope::train

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/train/run_spec.h"

#include <nlohmann/json.hpp>
#include <string>

namespace posiscope::train {

/// {"model": {…}, "task": {"name": "copy", …}, "optimiser": {…}, "schedule": {…}, "fine_tune": {…}, "positions":
/// [{"scheme": "rope", "base": 10000}, …], "seeds": [1, 2, 3]}; what is not given has its default, a missing position
/// is "none". Unknown keys are refused. Errors name the part and the key: unknown_name, bad_value, out_of_range.
Expected<ComparisonSpec> comparisonFromJson(const nlohmann::json& json);
/// The file of that. Errors: also those of reading.
Expected<ComparisonSpec> readComparison(const std::string& path);
nlohmann::ordered_json toJson(const ComparisonSpec& spec);

/// One run, for a checkpoint: the same with "position", "seed" and "data_seed".
Expected<RunSpec> runFromJson(const nlohmann::json& json);
nlohmann::ordered_json toJson(const RunSpec& run);

}  // namespace posiscope::train

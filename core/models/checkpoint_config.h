// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/config_reader.h"
#include "core/models/model.h"
#include "core/train/run_spec.h"

#include <string_view>
#include <vector>

namespace posiscope::models {

/// The model_type of what the training bench writes.
inline constexpr std::string_view checkpoint_type = "posiscope";

bool isCheckpoint(const ConfigReader& root);

/// What the model was trained as: the part "posiscope" of its config.json, checked. Errors: unknown_name, bad_value,
/// out_of_range, bad_shape, not_supported – where it could not be trained like that.
Expected<train::RunSpec> checkpointRun(const ConfigReader& root);

/// Shape, mask, trained length and the scheme with its constants, from config.json alone. What is wrong becomes a note,
/// and there is no scheme then.
void readCheckpoint(const ConfigReader& root, Inspection& inspection);

/// The scheme again, with what it has learned; nothing for models of other families. `config`: the file's path.
void addTrained(const std::string& config, const std::vector<std::string>& weights, Tables tables,
                Inspection& inspection, const Job& job);

}  // namespace posiscope::models

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <string>
#include <vector>

namespace posiscope::models {

/// The .safetensors files of a model's folder: the shards its index names, model.safetensors, or whatever there is, by
/// name; none is no error. Errors: those of the index.
Expected<std::vector<std::string>> weightFiles(const std::string& folder);

}  // namespace posiscope::models

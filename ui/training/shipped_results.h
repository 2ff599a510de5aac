// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/comparison_record.h"

#include <string>

namespace posiscope::ui {

// The results of ready experiments that come with the program, so that they are seen before anything is trained. Made
// by `posiscope train ID --out DIR --compact resources/experiments/ID.safetensors`.

/// Do results of the ready experiment of that id come with the program?
bool hasShippedResults(const std::string& id);
/// Errors: file_missing; those of `readRecord`.
Expected<train::ComparisonRecord> readShippedResults(const std::string& id);

}  // namespace posiscope::ui

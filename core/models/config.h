// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/model.h"

#include <nlohmann/json.hpp>

namespace posiscope::models {

/// Longest sequence that is drawn from a file's max_position_embeddings; longer ones are clamped with a note.
inline constexpr std::int64_t longest_drawn = 1 << 20;

/// Fills model_type, shape, mask, train_length, schemes, reasons and notes from the text of a config.json.
/// A wrong field becomes a note, the rest is kept. Of a model of several parts the text is read, and a note names an
/// image part with positions of its own; `part` ("vision_config") reads that one instead. Errors: file_format (no JSON,
/// no object), bad_value (no such part).
Outcome readConfig(std::string_view text, const std::string& file, Inspection& inspection,
                   const std::string& part = {});

}  // namespace posiscope::models

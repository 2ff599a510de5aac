// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/config_reader.h"
#include "core/models/model.h"

#include <nlohmann/json.hpp>

namespace posiscope::models {

/// Longest sequence that is drawn from a file's max_position_embeddings; longer ones are clamped with a note.
inline constexpr std::int64_t longest_drawn = 1 << 20;

/// The size `field` of our shape – d_model, num_heads, num_kv_heads or num_layers – under any of the names that files have for it.
std::optional<ConfigReader::Found<std::int64_t>> readSize(const ConfigReader& config, std::string_view field);

/// Models of text and images keep the text tower in an object of its own; of others it is the whole.
ConfigReader textTower(const ConfigReader& root);

/// Fills model_type, shape, mask, train_length, schemes, reasons and notes from the text of a config.json.
/// A wrong field becomes a note, the rest is kept. Of a model of several parts the text is read, and a note names an
/// image part with positions of its own; `part` ("vision_config") reads that one instead. Errors: file_format (no JSON,
/// no object), bad_value (no such part).
Outcome readConfig(std::string_view text, const std::string& file, Inspection& inspection,
                   const std::string& part = {});

}  // namespace posiscope::models

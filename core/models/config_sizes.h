// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/config_reader.h"
#include "core/shape.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace posiscope::models {

/// A size within the limits of our own shape, under any of the names that files have for it.
std::optional<ConfigReader::Found<std::int64_t>> sizeOf(const ConfigReader& config, std::string_view field,
                                                        ConfigReader::Keys keys);

/// "head_dim 64 = d_model / num_heads"
Text quotientReason(const Shape& shape);

/// Key heads of which no whole number of heads shares each: the sentence has the file's own names for both.
Text unevenKeyHeadsNote(const ConfigReader& config, const Shape& shape);

/// Of a file without sizes: a picture is drawn all the same, so whose shape it has must be said.
Text defaultSizesNote(std::string_view file, const Shape& shape);

}  // namespace posiscope::models

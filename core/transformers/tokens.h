// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope::transformers {

/// The whole numbers of a typed line or a text file: "1 403 407", "1, 403, 407" or "[1, 403, 407]". `owner` starts the
/// sentence of an error. Errors: bad_value for what is no whole number, and for none at all.
Expected<std::vector<std::int64_t>> parseIds(std::string_view text, std::string_view owner);

/// The ids of a file: an .npy of one axis, or of [texts, ids] of which `row` is taken (it may be left out, −1, when
/// there is one), or a text as above. Errors: those of reading; bad_shape; bad_value for numbers that are not whole;
/// out_of_range for the row.
Expected<std::vector<std::int64_t>> readIds(const std::string& path, std::int64_t row = -1);

}  // namespace posiscope::transformers

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/files/array_notes.h"
#include "core/shape.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace posiscope {

/// Whether an array of the shape `found` can be the content's `key`: q, k, v, x, w_q, w_k, w_v or
/// attention. Error: bad_shape.
Outcome checkContentShape(std::string_view key, const std::vector<std::int64_t>& found, const Shape& shape);

/// What the numbers of the content's array `key` are: ids of tokens, or real ones.
files::Numbers numbersIn(std::string_view key);

}  // namespace posiscope

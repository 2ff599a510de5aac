// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/shape.h"

#include <cstdint>
#include <string_view>

namespace posiscope {

/// Patches of an image, in reading order: token t stands in row t / width and column t mod width.
struct Grid {
  std::int64_t height = 1;
  std::int64_t width = 1;

  std::int64_t patches() const { return height * width; }
  std::int64_t row(std::int64_t token) const { return token / width; }
  std::int64_t column(std::int64_t token) const { return token % width; }

  bool operator==(const Grid&) const = default;
};

/// The most square grid of exactly `patches` patches, not taller than wide: 12 → 3 × 4, 7 → 1 × 7.
Grid squarestGrid(std::int64_t patches);

/// The grid that the keys of a shape stand for. The first `prefix_tokens` tokens (class token, registers) are no
/// patches. A side that is 0 follows from the other one; without any side it is the most square grid.
/// Errors: bad_shape, when the sides do not make up the sequence; `owner` ("sinusoidal_2d") starts the sentence.
Expected<Grid> gridOf(std::string_view owner, const Shape& shape, std::int64_t prefix_tokens = 0);

}  // namespace posiscope

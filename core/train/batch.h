// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/grid.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace posiscope::train {

/// Sequences of one length; there is no padding. Row-major [sequences, length].
struct Batch {
  std::int64_t sequences = 0;
  std::int64_t length = 0;
  std::optional<Grid> grid = {};  ///< of images, row-major patches
  std::vector<std::int32_t> tokens = {};
  std::vector<std::int32_t> targets = {};  ///< −1 = not counted

  std::int64_t rows() const { return sequences * length; }
};

}  // namespace posiscope::train

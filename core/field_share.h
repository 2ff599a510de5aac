// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace posiscope {

/// The cells one sample stands for along one axis: [begin, end), and the one under its centre. Empty outside.
struct Share {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t centre = -1;
};

/// Shares of `count` samples of the window [first, first + extent) of an axis with `cells` cells.
std::vector<Share> shares(double first, double extent, std::int64_t count, std::int64_t cells);

}  // namespace posiscope

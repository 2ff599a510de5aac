// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

namespace posiscope::train::positions {

/// Which tokens a row's position is bent by. Under a causal mask only the row's own and those before it: reading ahead
/// would show a decoder its answer.
struct Windows {
  std::int64_t reach = 2;
  bool causal = true;

  std::int64_t span() const { return (causal ? 1 : 2) * reach + 1; }
  std::int64_t first(std::int64_t i) const { return std::max<std::int64_t>(0, i - reach); }
  std::int64_t count(std::int64_t i, std::int64_t length) const {
    return (causal ? i : std::min(length - 1, i + reach)) + 1 - first(i);
  }
};

}  // namespace posiscope::train::positions

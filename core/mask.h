// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/shape.h"

#include <cstdint>
#include <vector>

namespace posiscope {

/// Which keys a query may look at. All rules hold together. n = p_i − j, n > 0 is the past.
struct Mask {
  bool causal = false;
  std::int64_t window = -1;  ///< keys with |n| ≤ window; −1 = no window. Mistral's sliding_window W is our W − 1.
  std::int64_t prefix = 0;   ///< the first `prefix` keys are visible to all queries, also under the causal rule
  std::vector<std::uint8_t> key_padding;    ///< 1 = real token, per key; empty = all real
  std::vector<std::uint8_t> query_padding;  ///< 1 = real token, per query; empty = all real
  std::vector<std::uint8_t> blocked;        ///< row-major [L_q, L_k], 1 = never attended (shifted windows); may be empty

  /// May query `i` (from 0, the last `queries` positions) look at key `j`?
  bool allows(const Shape& shape, std::int64_t i, std::int64_t j) const;
  /// The smallest range of keys that contains all allowed ones by the causal, window and prefix rules.
  /// Inside it `allows` must still be asked when `hasHoles()`.
  struct Span {
    std::int64_t begin;
    std::int64_t end;
  };
  Span span(const Shape& shape, std::int64_t i) const;
  bool hasHoles() const { return !key_padding.empty() || !blocked.empty() || (prefix > 0 && window >= 0); }

  bool operator==(const Mask&) const = default;
};

Outcome checkMask(const Mask& mask, const Shape& shape);

}  // namespace posiscope

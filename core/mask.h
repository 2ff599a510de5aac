// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/param_table.h"
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
  std::vector<std::uint8_t> blocked;  ///< row-major [L_q, L_k], 1 = never attended; may be empty
  std::int64_t chunk = 0;  ///< keys of the query's own chunk of this many tokens, counted from key 0; 0 = no chunks
  /// Keys of the query's own window of this side (Swin; Liu et al. 2021), 0 = no windows: of the shape's grid where
  /// that has both sides, else of the line of tokens. The cuts lie `shift` patches further on, and what a shift leaves
  /// at the two ends stays apart. As in the official block, a grid whose smaller side is not above the window becomes
  /// windows of that side, not shifted; such a line stays whole.
  std::int64_t side = 0;
  std::int64_t shift = 0;
  /// Padding that is counted, beside the two lists: at the end of the sequence or at its start.
  enum class Padding { none, end, start };
  Padding padding = Padding::none;
  std::int64_t padded_keys = 0;     ///< so many keys at that end
  std::int64_t padded_queries = 0;  ///< the queries at so many positions at that end

  /// May query `i` (from 0, the last `queries` positions) look at key `j`?
  bool allows(const Shape& shape, std::int64_t i, std::int64_t j) const;
  /// A range of keys that contains all allowed ones, the smallest by the causal, window, chunk, prefix and counted
  /// padding rules.
  /// Inside it `allows` must still be asked when `hasHoles()`.
  struct Span {
    std::int64_t begin;
    std::int64_t end;
  };
  Span span(const Shape& shape, std::int64_t i) const;
  bool hasHoles() const {
    return !key_padding.empty() || !blocked.empty() || side > 0 || (prefix > 0 && (window >= 0 || chunk > 0));
  }

  bool operator==(const Mask&) const = default;

 private:
  bool isPadding(const Shape& shape, std::int64_t position, std::int64_t padded) const;
  bool shareWindow(const Shape& shape, std::int64_t a, std::int64_t b) const;
};

/// The part of a mask that is set by hand, as the command line, the window and a session name it.
struct MaskRules {
  enum class Rule { none, causal, window, both, shifted };  ///< `window`: the past only; `both`: both sides
  Rule mask = Rule::none;
  std::int64_t window = 128;
  std::int64_t side = 8;
  std::int64_t shift = 0;
  std::int64_t prefix = 0;
  std::int64_t chunk = 0;
  Mask::Padding padding = Mask::Padding::none;
  std::int64_t padded_keys = 0;
  std::int64_t padded_queries = 0;
};

const ParamTable<MaskRules>& maskTable();
/// The rules of a mask; without a window, `window` and `side` are the default ones.
MaskRules rulesOf(const Mask& mask);
/// The mask with these rules in place of its own; padding that is given key by key and blocked keys stay.
Mask withRules(Mask mask, const MaskRules& rules);

/// The rules are within their limits, paddings and windows fit the shape. Errors: out_of_range, bad_shape.
Outcome checkMask(const Mask& mask, const Shape& shape);

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace posiscope::heads {

/// Where a causal head that does one known thing looks, given the tokens (definitions of TransformerLens).
enum class Pattern {
  previous,   ///< at the token before
  duplicate,  ///< at earlier copies of the same token
  induction,  ///< behind earlier copies of it: the query itself where it repeats the token before
};
inline constexpr std::array all_patterns{Pattern::previous, Pattern::duplicate, Pattern::induction};

/// "previous", "duplicate", "induction".
std::string_view patternId(Pattern pattern);

/// Does the pattern have query i look at key j?
bool matches(Pattern pattern, std::span<const std::int64_t> tokens, std::int64_t i, std::int64_t j);

/// Which sums leave out what many heads look at anyway.
enum class Exclusion { none, first, self, both };

/// How well a head's causal weights [L, L] fit a pattern, one number for each `Exclusion`. `mul` = ΣA·P / ΣA, the share
/// of the attention that is where the pattern is, 0 when nothing is left to share; `abs` = 1 − Σ|A − P| / L, from −1 to
/// 1, whose divisor stays L. Without exclusions a pattern without any match scores 0 in both; even a perfect head for
/// previous tokens (L − 1)/L in `mul`, since token 0 has none.
struct PatternScores {
  std::array<double, 4> mul{};
  std::array<double, 4> abs{};
};
template <class T>
PatternScores patternScores(Rows<T> weights, Pattern pattern, std::span<const std::int64_t> tokens);

}  // namespace posiscope::heads

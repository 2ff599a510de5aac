// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace posiscope::attention {

/// What a bias alone makes of the last query's attention, a(δ) = softmax of b(δ) over the distances δ = 0 … L − 1: how
/// far it looks once content says nothing.
struct LengthFigures {
  double entropy = 0;            ///< H, nats
  double entropy_norm = 0;       ///< H / ln L; 0 for one token
  double perplexity = 0;         ///< e^H: so many keys, if all got the same
  double expected_distance = 0;  ///< Σ δ·a, tokens
  double effective_range = 0;    ///< tokens: the least r whose distances 0 … r get `share` of the attention
};
/// `bias`: b at δ = 0 … L − 1, at least one.
LengthFigures lengthFigures(std::span<const double> bias, double share = 0.9);

/// The least distance at which the bias has fallen by tau from where it was at 0; −1 if it never does.
std::int64_t attenuationDistance(std::span<const double> bias, double tau);

}  // namespace posiscope::attention

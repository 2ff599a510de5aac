// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scheme.h"

#include <vector>

namespace posiscope::schemes {

struct FopeParams {
  double base = 10000;
  double train_length = 512;  ///< pairs that turn less than once in it are replaced, in tokens
  std::int64_t pad_sin = 1;   ///< sine of the replaced pairs: 1 as the code, 0 as the text
  double noise = 0.1;         ///< deviation of the drawn coefficients from the identity
  Pairing pairing = Pairing::interleaved;
  Array cos_coef = {};  ///< (key heads, kept, kept)
  Array sin_coef = {};
  std::int64_t seed = 1;
};

/// The frequencies above 2π/train_length of a head of this width, in radians per token.
std::vector<double> fopeKept(const FopeParams& params, std::int64_t head_dim);

/// cos' and sin' of one key head, each [tokens, head_dim / 2] from position `first`: Σ_k cos(p·w_k)·C[k, o] for the
/// kept pairs, constants for the rest. Not cosines and sines any more: lengths are not kept.
struct FopeTurns {
  Table<double> cosine, sine;
};
FopeTurns fopeTurns(const FopeParams& params, const Shape& shape, std::int64_t key_head, double first,
                    std::int64_t tokens);

/// Fourier position embedding (Hua et al. 2024).
Scheme fope();

}  // namespace posiscope::schemes

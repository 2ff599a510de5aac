// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/bench/limits.h"

namespace posiscope::bench {

/// One block of 64 rows of a head's products, [tokens, tokens]; blocks are counted over all heads.
using BlockProduct = void (*)(const ProductShape& shape, const float* q, const float* k, std::int64_t block,
                              float* out);

/// The copy for AVX2 and FMA, null where this processor or the compiler has no such thing.
BlockProduct wideBlockProduct();

}  // namespace posiscope::bench

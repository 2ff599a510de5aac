// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#define Eigen EigenForWideLimits
#include "core/bench/products_impl.h"
#undef Eigen

#include "core/bench/wide_products.h"

namespace posiscope::bench {

BlockProduct wideBlockProduct() {
#if defined(__AVX2__) && defined(__FMA__)
  static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return wide ? &blockProduct : nullptr;
#else
  return nullptr;
#endif
}

}  // namespace posiscope::bench

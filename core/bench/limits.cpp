// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#define Eigen EigenForLimits
#include "core/bench/products_impl.h"
#undef Eigen

#include "core/bench/wide_products.h"
#include "core/parallel.h"

#include <cstring>

namespace posiscope::bench {

void fillWithMemset(Floats& memory) {
  const auto bytes = static_cast<std::int64_t>(memory.bytes());
  auto* start = reinterpret_cast<unsigned char*>(memory.data());
  parallelBlocks(bytes, std::int64_t{1} << 20, Job(), [&](std::int64_t begin, std::int64_t end) {
    std::memset(start + begin, 1, static_cast<std::size_t>(end - begin));
  });
}

void eigenProducts(const ProductShape& s, std::span<const float> q, std::span<const float> k, float* out) {
  const BlockProduct wide = wideBlockProduct();
  const BlockProduct product = wide ? wide : &blockProduct;
  const std::int64_t blocks = (s.tokens + rows_of_block - 1) / rows_of_block;
  parallelBlocks(s.heads * blocks, 1, Job(),
                 [&](std::int64_t b, std::int64_t) { product(s, q.data(), k.data(), b, out); });
}

}  // namespace posiscope::bench

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bench/limits.h"

#include "core/parallel.h"

#include <algorithm>
#include <cstring>
#include <Eigen/Core>

namespace posiscope::bench {
namespace {

using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

void fillWithMemset(Floats& memory) {
  const auto bytes = static_cast<std::int64_t>(memory.bytes());
  auto* start = reinterpret_cast<unsigned char*>(memory.data());
  parallelBlocks(bytes, std::int64_t{1} << 20, Job(), [&](std::int64_t begin, std::int64_t end) {
    std::memset(start + begin, 1, static_cast<std::size_t>(end - begin));
  });
}

void eigenProducts(const ProductShape& s, std::span<const float> q, std::span<const float> k, float* out) {
  constexpr std::int64_t block = 64;
  const std::int64_t blocks = (s.tokens + block - 1) / block;
  parallelBlocks(s.heads * blocks, 1, Job(), [&](std::int64_t b, std::int64_t) {
    const std::int64_t head = b / blocks, row = b % blocks * block;
    const std::int64_t rows = std::min(block, s.tokens - row);
    const std::int64_t first = head * s.tokens;
    const Eigen::Map<const Rows> left(q.data() + (first + row) * s.head_dim, rows, s.head_dim);
    const Eigen::Map<const Rows> right(k.data() + first * s.head_dim, s.tokens, s.head_dim);
    Eigen::Map<Rows> result(out + (first + row) * s.tokens, rows, s.tokens);
    result.noalias() = left * right.transpose();
  });
}

}  // namespace posiscope::bench

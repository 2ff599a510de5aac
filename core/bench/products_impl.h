// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Included once for every processor and once for those with AVX2 and FMA, each time with another name for Eigen: the
// linker must not keep one copy of its templates for both.
#pragma once

#include "core/bench/limits.h"

#include <Eigen/Core>

namespace posiscope::bench {
namespace {

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr std::int64_t rows_of_block = 64;

/// q·kᵀ of one block of rows of one head.
void blockProduct(const ProductShape& s, const float* q, const float* k, std::int64_t block, float* out) {
  const std::int64_t blocks = (s.tokens + rows_of_block - 1) / rows_of_block;
  const std::int64_t head = block / blocks, row = block % blocks * rows_of_block;
  const std::int64_t remaining = s.tokens - row, rows = remaining < rows_of_block ? remaining : rows_of_block;
  const std::int64_t first = head * s.tokens;
  const Eigen::Map<const RowMajor> left(q + (first + row) * s.head_dim, rows, s.head_dim);
  const Eigen::Map<const RowMajor> right(k + first * s.head_dim, s.tokens, s.head_dim);
  Eigen::Map<RowMajor> result(out + (first + row) * s.tokens, rows, s.tokens);
  result.noalias() = left * right.transpose();
}

}  // namespace
}  // namespace posiscope::bench

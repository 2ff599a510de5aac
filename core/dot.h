// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cassert>
#include <cstddef>
#include <span>

namespace posiscope {

/// a·b. Eight sums side by side: the compiler may use vectors, and the order does not depend on which.
template <class T>
T dot(std::span<const T> a, std::span<const T> b) {
  assert(a.size() == b.size());
  constexpr std::size_t lanes = 8;
  T sums[lanes] = {};
  std::size_t d = 0;
  for (; d + lanes <= a.size(); d += lanes)
    for (std::size_t l = 0; l < lanes; ++l) sums[l] += a[d + l] * b[d + l];
  T sum = ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
  for (; d < a.size(); ++d) sum += a[d] * b[d];
  return sum;
}

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/attention.h"

#include <algorithm>
#include <cmath>
#include <Eigen/Core>
#include <limits>

namespace posiscope::attention {
namespace {

/// Softmax of numbers that are all allowed; false (and zeros) when none is above −inf. The chunks have a fixed size
/// and live at an aligned place, so neither the sum nor which exponential is used depends on where the row lies in
/// memory. Chunk sums are added in double: 10⁵ keys lose no digits.
template <class T>
bool softmaxDense(std::span<T> row) {
  constexpr std::size_t chunk = 64;
  if (row.empty()) return false;
  const T top = *std::ranges::max_element(row);
  if (top == -std::numeric_limits<T>::infinity()) {
    std::ranges::fill(row, T(0));
    return false;
  }
  Eigen::Array<T, chunk, 1> part;
  double sum = 0;
  for (std::size_t begin = 0; begin < row.size(); begin += chunk) {
    const std::size_t count = std::min(chunk, row.size() - begin);
    part.setConstant(top);
    std::copy_n(row.data() + begin, count, part.data());
    part = (part - top).exp();
    std::copy_n(part.data(), count, row.data() + begin);
    for (std::size_t e = count; e < chunk; ++e) part[static_cast<Eigen::Index>(e)] = T(0);
    sum += static_cast<double>(part.sum());
  }
  const T scale = static_cast<T>(1.0 / sum);
  for (T& weight : row) weight *= scale;
  return true;
}

}  // namespace

template <class T>
bool softmaxRow(const Mask& mask, const Shape& shape, std::int64_t i, std::span<T> row) {
  const auto [begin, end] = mask.span(shape, i);
  if (begin >= end) {
    std::ranges::fill(row, T(0));
    return false;
  }
  std::fill(row.begin(), row.begin() + begin, T(0));
  std::fill(row.begin() + end, row.end(), T(0));
  const std::span<T> inside = row.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  if (!mask.hasHoles()) return softmaxDense(inside);

  // The allowed entries move together, so that the exponential never sees a masked one; then back to their places.
  std::size_t allowed = 0;
  for (std::int64_t j = begin; j < end; ++j)
    if (mask.allows(shape, i, j)) inside[allowed++] = row[static_cast<std::size_t>(j)];
  const bool any = softmaxDense(inside.first(allowed));
  for (std::int64_t j = end; j-- > begin;)
    row[static_cast<std::size_t>(j)] = mask.allows(shape, i, j) ? inside[--allowed] : T(0);
  return any;
}

template bool softmaxRow(const Mask&, const Shape&, std::int64_t, std::span<float>);
template bool softmaxRow(const Mask&, const Shape&, std::int64_t, std::span<double>);

}  // namespace posiscope::attention

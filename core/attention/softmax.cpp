// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/attention.h"

#include "core/train/kernels/kernels.h"

#include <algorithm>
#include <limits>

namespace posiscope::attention {
namespace {

/// Softmax of numbers that are all allowed; false (and zeros) when none is above −inf.
template <class T>
bool softmaxDense(std::span<T> row) {
  if (row.empty()) return false;
  const train::Kernels<T>& kernels = train::kernels<T>();
  const auto count = static_cast<std::int64_t>(row.size());
  const T top = kernels.largest(count, row.data());
  if (top == -std::numeric_limits<T>::infinity()) {
    std::ranges::fill(row, T(0));
    return false;
  }
  const T scale = static_cast<T>(1.0 / kernels.exponentials(count, top, row.data()));
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

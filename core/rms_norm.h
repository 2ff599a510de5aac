// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"

#include <cassert>
#include <cmath>
#include <span>

namespace posiscope {

/// x / √(mean of squares + eps) · gain, in place and in double; an empty gain is 1. Zhang and Sennrich 2019.
template <class T>
void rmsNorm(std::span<T> row, std::span<const double> gain, double eps) {
  assert(gain.empty() || gain.size() == row.size());
  double square = 0;
  for (const T x : row) square += static_cast<double>(x) * static_cast<double>(x);
  const double scale = 1.0 / std::sqrt(square / static_cast<double>(row.size()) + eps);
  for (std::size_t d = 0; d < row.size(); ++d)
    row[d] = static_cast<T>(static_cast<double>(row[d]) * scale * (gain.empty() ? 1.0 : gain[d]));
}

/// Each row divided by its root mean square, [rows, cols]; a row of zeros stays zero. What models hand to the small
/// layers that read a token.
template <class T>
Table<T> rmsNormalised(Rows<T> x) {
  Table<T> out = makeTable<T>(x.rows, x.cols);
  for (std::int64_t r = 0; r < x.rows; ++r) {
    double square = 0;
    for (const T v : x.row(r)) square += static_cast<double>(v) * static_cast<double>(v);
    const double scale = square > 0 ? std::sqrt(static_cast<double>(x.cols) / square) : 0.0;
    for (std::int64_t c = 0; c < x.cols; ++c)
      out.row(r)[static_cast<std::size_t>(c)] =
          static_cast<T>(static_cast<double>(x.row(r)[static_cast<std::size_t>(c)]) * scale);
  }
  return out;
}

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fourier_features.h"

#include "core/dot.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace posiscope {

template <class T>
void fourierFeatures(FourierOrder order, Rows<double> directions, std::span<const double> point, std::span<T> out) {
  const auto m = static_cast<std::size_t>(directions.rows);
  for (std::size_t j = 0; j < m; ++j) {
    const double angle = 2 * std::numbers::pi * dot(directions.row(static_cast<std::int64_t>(j)), point);
    const bool code = order == FourierOrder::code;
    out[code ? j : 2 * j + 1] = static_cast<T>(std::sin(angle));
    out[code ? m + j : 2 * j] = static_cast<T>(std::cos(angle));
  }
}

Table<double> fourierKernel(Rows<double> directions, Rows<double> points) {
  Table<double> kernel = makeTable<double>(points.rows, points.rows);
  std::vector<double> difference(static_cast<std::size_t>(points.cols));
  for (std::int64_t i = 0; i < points.rows; ++i)
    for (std::int64_t j = 0; j < points.rows; ++j) {
      for (std::size_t a = 0; a < difference.size(); ++a) difference[a] = points.row(i)[a] - points.row(j)[a];
      double sum = 0;
      for (std::int64_t b = 0; b < directions.rows; ++b)
        sum += std::cos(2 * std::numbers::pi * dot<double>(directions.row(b), difference));
      kernel.row(i)[static_cast<std::size_t>(j)] = sum;
    }
  return kernel;
}

template <class T>
void bandedFeatures(const FourierBands& bands, std::span<const double> point, std::span<T> out) {
  auto next = out.begin();
  if (bands.include_input)
    for (const double v : point) *next++ = static_cast<T>(v);
  for (std::int64_t k = 0; k < bands.num_freqs; ++k) {
    const double factor = std::ldexp(bands.use_pi ? std::numbers::pi : 1.0, static_cast<int>(k));
    for (const double v : point) *next++ = static_cast<T>(std::sin(factor * v));
    for (const double v : point) *next++ = static_cast<T>(std::cos(factor * v));
  }
}

template void fourierFeatures(FourierOrder, Rows<double>, std::span<const double>, std::span<float>);
template void fourierFeatures(FourierOrder, Rows<double>, std::span<const double>, std::span<double>);
template void bandedFeatures(const FourierBands&, std::span<const double>, std::span<float>);
template void bandedFeatures(const FourierBands&, std::span<const double>, std::span<double>);

}  // namespace posiscope

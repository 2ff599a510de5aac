// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rotary_grid.h"

#include <cmath>

namespace posiscope {
namespace {

/// y's frequencies for the first pairs, x's for the rest, zeros elsewhere.
std::vector<double> twoAxes(const std::vector<double>& y, const std::vector<double>& x) {
  const std::size_t pairs = y.size() + x.size();
  std::vector<double> frequency(2 * pairs, 0.0);
  for (std::size_t p = 0; p < y.size(); ++p) frequency[p] = y[p];
  for (std::size_t p = 0; p < x.size(); ++p) frequency[pairs + y.size() + p] = x[p];
  return frequency;
}

template <class Coordinate>
std::vector<double> positions(const Grid& grid, std::int64_t prefix, Coordinate coordinate) {
  std::vector<double> y(static_cast<std::size_t>(prefix), 0.0), x = y;
  for (std::int64_t t = 0; t < grid.patches(); ++t) {
    y.push_back(coordinate(grid.row(t), grid.height, true));
    x.push_back(coordinate(grid.column(t), grid.width, false));
  }
  y.insert(y.end(), x.begin(), x.end());
  return y;
}

}  // namespace

std::vector<double> axialFrequencies(double base, std::int64_t head_dim) {
  std::vector<double> w;
  const std::int64_t q = head_dim / 4;
  for (std::int64_t i = 0; i < q; ++i) w.push_back(std::pow(base, -static_cast<double>(i) / static_cast<double>(q)));
  return twoAxes(w, w);
}

std::vector<double> splitFrequencies(double base, std::int64_t head_dim) {
  std::vector<double> y, x;
  for (std::int64_t j = 0; j < head_dim / 2; ++j)
    (j % 2 == 0 ? y : x).push_back(std::pow(base, -2.0 * static_cast<double>(j) / static_cast<double>(head_dim)));
  return twoAxes(y, x);
}

std::vector<double> mixedFrequencies(double theta, std::int64_t head_dim, const std::vector<double>& phi) {
  const std::int64_t quarter = head_dim / 4;
  std::vector<double> x, y;
  for (const double angle : phi)
    for (const bool second : {false, true})
      for (std::int64_t k = 0; k < quarter; ++k) {
        const double magnitude = std::pow(theta, -4.0 * static_cast<double>(k) / static_cast<double>(head_dim));
        x.push_back(magnitude * (second ? -std::sin(angle) : std::cos(angle)));
        y.push_back(magnitude * (second ? std::cos(angle) : std::sin(angle)));
      }
  x.insert(x.end(), y.begin(), y.end());
  return x;
}

std::vector<double> gridPositions(const Grid& grid, std::int64_t prefix, double y_step, double x_step) {
  return positions(grid, prefix, [&](std::int64_t index, std::int64_t, bool vertical) {
    return static_cast<double>(index) * (vertical ? y_step : x_step);
  });
}

std::vector<double> normalizedPositions(const Grid& grid, std::int64_t prefix) {
  return positions(grid, prefix, [](std::int64_t index, std::int64_t side, bool) {
    return 2.0 * (static_cast<double>(index) + 0.5) / static_cast<double>(side) - 1.0;
  });
}

}  // namespace posiscope

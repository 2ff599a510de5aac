// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/agreement.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posiscope {
namespace {

double distance(float a, float b) {
  if (std::isnan(a) && std::isnan(b)) return 0;
  const double d = std::abs(static_cast<double>(a) - static_cast<double>(b));
  if (a == b) return 0;  // also two infinities
  return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

/// Two programs rarely agree to the last bit: differences up to here are not counted. 1e-5 of the largest number, so
/// that small weights are judged as strictly as large logits.
double roundoff(const Field& a, const Field& b) {
  double largest = 0;
  for (const Field* field : {&a, &b})
    for (std::int64_t e = 0; e < field->rows() * field->cols(); ++e)
      if (const auto size = std::abs(static_cast<double>(field->stored()[e])); std::isfinite(size))
        largest = std::max(largest, size);
  return 1e-5 * largest;
}

/// The column of adjacent pairs where column c of half-split pairs stands.
std::int64_t adjacentColumn(std::int64_t c, std::int64_t width) {
  const std::int64_t half = width / 2;
  return c < half ? 2 * c : 2 * (c - half) + 1;
}

/// Is `halves` the same as `pairs` with its columns in the order of half-split pairs?
bool equalReordered(const Field& pairs, const Field& halves, double tolerance) {
  const std::int64_t width = pairs.cols();
  for (std::int64_t r = 0; r < pairs.rows(); ++r)
    for (std::int64_t c = 0; c < width; ++c) {
      const float adjacent = pairs.stored()[r * width + adjacentColumn(c, width)];
      if (distance(adjacent, halves.stored()[r * width + c]) > tolerance) return false;
    }
  return true;
}

}  // namespace

std::optional<Agreement> agreement(const Field& a, const Field& b) {
  const std::int64_t rows = a.rows();
  const std::int64_t cols = a.cols();
  if (!a.stored() || !b.stored() || rows != b.rows() || cols != b.cols() || rows * cols == 0) return {};
  const double tolerance = roundoff(a, b);
  Agreement found;
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < cols; ++c) {
      const double d = distance(a.stored()[r * cols + c], b.stored()[r * cols + c]);
      if (d > found.largest) {
        found.largest = d;
        found.row = r;
        found.col = c;
      }
      if (d > tolerance && (found.first_column < 0 || c < found.first_column)) found.first_column = c;
    }
  if (found.first_column >= 0 && cols % 2 == 0)
    found.reordered = equalReordered(a, b, tolerance) || equalReordered(b, a, tolerance);
  return found;
}

}  // namespace posiscope

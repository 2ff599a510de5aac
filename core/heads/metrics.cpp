// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/heads/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace posiscope::heads {
namespace {

/// Calls visit(j) for each key that query i may look at.
template <class F>
void forEachAllowed(const Mask& mask, const Shape& shape, std::int64_t i, F visit) {
  const Mask::Span span = mask.span(shape, i);
  for (std::int64_t j = span.begin; j < span.end; ++j)
    if (!mask.hasHoles() || mask.allows(shape, i, j)) visit(j);
}

std::int64_t countAllowed(const Mask& mask, const Shape& shape, std::int64_t i) {
  std::int64_t count = 0;
  forEachAllowed(mask, shape, i, [&](std::int64_t) { ++count; });
  return count;
}

/// A mean over the rows that have what is asked for; 0 when none has.
struct Mean {
  double sum = 0;
  std::int64_t count = 0;

  void add(double value) {
    sum += value;
    ++count;
  }
  double value() const { return count > 0 ? sum / static_cast<double>(count) : 0; }
};

double topTwo(const std::vector<double>& columns, std::int64_t rows) {
  double first = 0, second = 0;
  for (const double c : columns) {
    second = std::max(second, std::min(first, c));
    first = std::max(first, c);
  }
  return rows > 0 ? (first + second) / static_cast<double>(rows) : 0;
}

/// The sums behind the metrics, filled row by row.
struct Sums {
  Sums(std::int64_t keys, std::int64_t near)
      : window(near),
        columns(static_cast<std::size_t>(keys)),
        columns_uniform(columns.size()),
        lift(static_cast<std::size_t>(keys / 2)),
        pairs(lift.size()) {}

  template <class T>
  void addRow(std::span<const T> row, std::int64_t p, std::int64_t allowed, const Mask& mask, const Shape& shape);
  void addPair(double a, std::int64_t n, double allowed);
  void addNeighbours(std::span<const double> at, std::int64_t p, std::int64_t keys);
  Metrics metrics() const;

  std::int64_t window;
  std::int64_t damaged = 0;
  Mean entropy, entropy_norm, distance, distance_uniform, local, local_uniform;
  Mean sink, first_key, diagonal, previous, next;
  std::vector<double> columns, columns_uniform;  ///< sums over rows, per key
  std::vector<double> lift, pairs;               ///< sums over pairs, |n| = 1 …
};

void Sums::addPair(double a, std::int64_t n, double allowed) {
  const std::int64_t far = std::abs(n);
  if (far < 1 || far > static_cast<std::int64_t>(lift.size())) return;
  lift[static_cast<std::size_t>(far - 1)] += allowed * a;
  pairs[static_cast<std::size_t>(far - 1)] += 1;
}

/// `at`: the weights at n = −1, 0 and 1.
void Sums::addNeighbours(std::span<const double> at, std::int64_t p, std::int64_t keys) {
  diagonal.add(at[1]);
  if (p >= 1) previous.add(at[2]);
  if (p <= keys - 2) next.add(at[0]);
}

template <class T>
void Sums::addRow(std::span<const T> row, std::int64_t p, std::int64_t allowed, const Mask& mask, const Shape& shape) {
  const auto n_i = static_cast<double>(allowed);
  double h = 0, far = 0, far_uniform = 0, near = 0, near_uniform = 0;
  std::array<double, 3> at{};
  forEachAllowed(mask, shape, p - shape.queryOffset(), [&](std::int64_t j) {
    const auto a = static_cast<double>(row[static_cast<std::size_t>(j)]);
    const std::int64_t n = p - j;
    const auto length = static_cast<double>(std::abs(n));
    if (a > 0) h -= a * std::log(a);
    far += a * length;
    far_uniform += length / n_i;
    if (std::abs(n) <= window) near += a, near_uniform += 1 / n_i;
    if (std::abs(n) <= 1) at[static_cast<std::size_t>(n + 1)] = a;
    columns[static_cast<std::size_t>(j)] += a;
    columns_uniform[static_cast<std::size_t>(j)] += 1 / n_i;
    addPair(a, n, n_i);
  });
  entropy.add(h);
  if (allowed >= 2) entropy_norm.add(h / std::log(n_i));
  distance.add(far);
  distance_uniform.add(far_uniform);
  local.add(near);
  local_uniform.add(near_uniform);
  const auto first = static_cast<double>(row.front());
  first_key.add(first);
  if (p >= 1) sink.add(first);
  addNeighbours(at, p, shape.keys());
}

Metrics Sums::metrics() const {
  Metrics m;
  m.entropy_mean = entropy.value();
  m.entropy_norm_mean = entropy_norm.value();
  m.mean_distance = distance.value();
  m.mean_distance_uniform = distance_uniform.value();
  m.local_mass = local.value();
  m.local_mass_uniform = local_uniform.value();
  m.sink_mass = sink.count > 0 ? sink.value() : first_key.value();
  m.diag_score = diagonal.value();
  m.prev_score = previous.value();
  m.next_score = next.value();
  m.col_top2_mass = topTwo(columns, entropy.count);
  m.col_top2_uniform = topTwo(columns_uniform, entropy.count);
  m.rows = entropy.count;
  m.damaged = damaged;
  m.keys = static_cast<std::int64_t>(columns.size());
  m.window = window;
  m.lift.resize(lift.size());
  for (std::size_t d = 0; d < lift.size(); ++d) m.lift[d] = pairs[d] > 0 ? lift[d] / pairs[d] : 0;
  return m;
}

void loseFigures(Metrics& m) {
  for (double* figure : {&m.entropy_mean, &m.entropy_norm_mean, &m.mean_distance, &m.mean_distance_uniform,
                         &m.local_mass, &m.local_mass_uniform, &m.sink_mass, &m.diag_score, &m.prev_score,
                         &m.next_score, &m.col_top2_mass, &m.col_top2_uniform, &m.periodicity.score, &m.periodicity.cv})
    *figure = std::numeric_limits<double>::quiet_NaN();
}

template <class T>
bool isDamaged(std::span<const T> row) {
  return std::ranges::any_of(row, [](T a) { return std::isnan(a); });
}

}  // namespace

template <class T>
bool looksAtSome(std::span<const T> row) {
  return std::ranges::any_of(row, [](T a) { return a != 0; }) && !isDamaged(row);
}

template <class T>
Metrics headMetrics(Rows<T> weights, const Mask& mask, const Shape& shape, const Thresholds& thresholds) {
  Sums sums(shape.keys(), thresholds.window(shape.keys()));
  for (std::int64_t i = 0; i < shape.queries(); ++i) {
    const std::int64_t allowed = countAllowed(mask, shape, i);
    if (allowed == 0) continue;
    if (isDamaged(weights.row(i)))
      ++sums.damaged;
    else if (looksAtSome(weights.row(i)))
      sums.addRow(weights.row(i), i + shape.queryOffset(), allowed, mask, shape);
  }
  Metrics metrics = sums.metrics();
  metrics.periodicity = periodicity(metrics.lift, thresholds);
  if (metrics.rows == 0 && metrics.damaged > 0) loseFigures(metrics);
  return metrics;
}

template <class T>
std::vector<double> offsetProfile(Rows<T> weights, const Mask& mask, const Shape& shape) {
  const std::int64_t last = shape.keys() - 1;
  std::vector<Mean> means(static_cast<std::size_t>(2 * last + 1));
  for (std::int64_t i = 0; i < shape.queries(); ++i) {
    const std::span<const T> row = weights.row(i);
    if (!looksAtSome(row)) continue;
    forEachAllowed(mask, shape, i, [&](std::int64_t j) {
      means[static_cast<std::size_t>(i + shape.queryOffset() - j + last)].add(
          static_cast<double>(row[static_cast<std::size_t>(j)]));
    });
  }
  std::vector<double> profile;
  std::ranges::transform(means, std::back_inserter(profile), [](const Mean& mean) { return mean.value(); });
  return profile;
}

template <class T>
double gridDistance(Rows<T> weights, const Grid& grid, double patch, std::int64_t prefix) {
  Mean distance;
  for (std::int64_t i = prefix; i < weights.rows; ++i) {
    double sum = 0, whole = 0;
    for (std::int64_t j = prefix; j < weights.cols; ++j) {
      const auto a = static_cast<double>(weights.row(i)[static_cast<std::size_t>(j)]);
      const auto rows = static_cast<double>(grid.row(i - prefix) - grid.row(j - prefix));
      const auto columns = static_cast<double>(grid.column(i - prefix) - grid.column(j - prefix));
      sum += a * std::hypot(rows, columns);
      whole += a;
    }
    if (whole > 0) distance.add(sum);
  }
  return patch * distance.value();
}

template bool looksAtSome(std::span<const float>);
template bool looksAtSome(std::span<const double>);
template Metrics headMetrics(Rows<float>, const Mask&, const Shape&, const Thresholds&);
template Metrics headMetrics(Rows<double>, const Mask&, const Shape&, const Thresholds&);
template std::vector<double> offsetProfile(Rows<float>, const Mask&, const Shape&);
template std::vector<double> offsetProfile(Rows<double>, const Mask&, const Shape&);
template double gridDistance(Rows<float>, const Grid&, double, std::int64_t);
template double gridDistance(Rows<double>, const Grid&, double, std::int64_t);

}  // namespace posiscope::heads

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/distances.h"

#include "core/parallel.h"
#include "core/profile.h"

#include <algorithm>
#include <cmath>
#include <Eigen/Core>
#include <limits>
#include <mutex>

namespace posiscope::measures {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr std::int64_t block_rows = 64;
constexpr std::int64_t tile_rows = 256;

/// Multiply-adds that are spent on comparing all rows with all, and what looking at one pair costs beside them.
constexpr double most_products = 2e10;
constexpr double pair_cost = 8;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Squared distances and who has them; among equals the smaller number wins, so that the order of merging is of no
/// account.
struct Least {
  std::vector<double> square;
  std::vector<std::int64_t> who;

  explicit Least(std::int64_t count)
      : square(index(count), std::numeric_limits<double>::infinity()), who(index(count), 0) {}
  void offer(std::int64_t at, double value, std::int64_t other) {
    if (value > square[index(at)] || (value == square[index(at)] && other >= who[index(at)])) return;
    square[index(at)] = value;
    who[index(at)] = other;
  }
  void merge(const Least& other) {
    for (std::size_t k = 0; k < square.size(); ++k)
      if (std::isfinite(other.square[k])) offer(static_cast<std::int64_t>(k), other.square[k], other.who[k]);
  }
};

double distance(const Table<double>& rows, std::int64_t i, std::int64_t j) {
  double sum = 0;
  for (std::size_t d = 0; d < index(rows.cols); ++d) {
    const double difference = rows.row(i)[d] - rows.row(j)[d];
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

}  // namespace

std::vector<double> offsetDistances(std::span<const double> frequency, std::int64_t count, const Job& job) {
  std::vector<double> half;
  for (const double w : frequency) half.push_back(w / 2);
  const std::vector<PhaseRun> runs = phaseRuns(half);
  std::vector<double> result(index(count));
  const bool complete = parallelBlocks(count, PhaseRun::width, job, [&](std::int64_t begin, std::int64_t end) {
    PhaseRun::Lane cosines;
    PhaseRun::Lane sines;
    PhaseRun::Lane sums{};
    for (std::size_t p = 0; p < half.size(); ++p) {
      runs[p].fill(static_cast<double>(begin) * half[p], cosines, sines);
      for (std::size_t d = 0; d < sums.size(); ++d) sums[d] += sines[d] * sines[d];
    }
    for (std::int64_t n = begin; n < end; ++n) result[index(n)] = 2 * std::sqrt(sums[index(n - begin)]);
  });
  if (!complete) result.clear();
  return result;
}

Distances distancesByOffset(std::vector<double> curve) {
  const auto n = std::ssize(curve);
  Distances result;
  // From the position nearest to an end, every offset up to the other end can be gone; shorter ones in both directions.
  std::vector<std::int64_t> best(index(n), 1);
  for (std::int64_t k = 2; k < n; ++k)
    best[index(k)] = curve[index(k)] < curve[index(best[index(k - 1)])] ? k : best[index(k - 1)];
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t offset = best[index(std::max(i, n - 1 - i))];
    result.by_row.push_back(curve[index(offset)]);
    result.nearest.push_back(i >= offset ? i - offset : i + offset);
    result.found_at.push_back(i);
  }
  result.by_offset = std::move(curve);
  return result;
}

std::int64_t comparableRows(std::int64_t cols) {
  return static_cast<std::int64_t>(std::sqrt(2 * most_products / (static_cast<double>(cols) + pair_cost)));
}

Distances distancesOf(const Table<double>& rows, const Job& job) {
  const std::int64_t n = rows.rows;
  const Eigen::Map<const Matrix> all(rows.values.data(), n, rows.cols);
  const Eigen::VectorXd squares = all.rowwise().squaredNorm();
  Least by_row(n);
  Least by_offset(n);
  std::mutex merging;
  const bool complete = parallelBlocks(n, block_rows, job, [&](std::int64_t begin, std::int64_t end) {
    Least row(n);
    Least offset(n);
    Matrix products;
    for (std::int64_t from = 0; from < end; from += tile_rows) {
      const std::int64_t to = std::min(end, from + tile_rows);
      products.noalias() = all.middleRows(begin, end - begin) * all.middleRows(from, to - from).transpose();
      for (std::int64_t i = begin; i < end; ++i)
        for (std::int64_t j = from; j < std::min(to, i); ++j) {
          const double square = squares(i) + squares(j) - 2 * products(i - begin, j - from);
          row.offer(i, square, j);
          row.offer(j, square, i);
          offset.offer(i - j, square, i);
        }
    }
    const std::scoped_lock lock(merging);
    by_row.merge(row);
    by_offset.merge(offset);
  });
  Distances result;
  if (!complete) return result;
  result.nearest = std::move(by_row.who);
  result.found_at = std::move(by_offset.who);
  for (std::int64_t i = 0; i < n; ++i) {
    result.by_row.push_back(distance(rows, i, result.nearest[index(i)]));
    const std::int64_t at = result.found_at[index(i)];
    result.by_offset.push_back(i == 0 ? 0 : distance(rows, at, at - i));
  }
  return result;
}

}  // namespace posiscope::measures

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/linear_shift.h"

#include "core/measures/products.h"
#include "core/parallel.h"
#include "core/steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <numeric>

namespace posiscope::measures {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using FloatMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::int64_t most_checked = 16384;
constexpr std::int64_t most_fitted = 512;
constexpr std::int64_t most_drafted = 128;
constexpr std::int64_t block_rows = 32;
constexpr std::int64_t matrix_rows = 128;  ///< of a block of M: each reads all fitted rows
/// Share of the mean squared row that keeps rows which are the same from being told apart by roundoff.
constexpr double ridge = 1e-9;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

std::vector<float> rowOf(const InputPart<float>& input, std::int64_t r) {
  std::vector<float> room;
  const std::span<const float> row = input.tableBlock(r, r + 1, room).row(0);
  return {row.begin(), row.end()};
}

/// How far these waves are from moving row 0 to row k.
double mismatch(const WaveColumns& w, const std::vector<float>& from, const std::vector<float>& to, double k) {
  const double a = from[index(w.first)], b = from[index(w.second)];
  const double cosine = std::cos(k * w.frequency), sine = w.sign * std::sin(k * w.frequency);
  return std::max(std::abs(a * cosine + b * sine - to[index(w.first)]),
                  std::abs(b * cosine - a * sine - to[index(w.second)]));
}

/// The waves in this arrangement, each with the sign that fits; nothing when one does not.
std::optional<std::vector<WaveColumns>> fitting(const InputPart<float>& input, bool halves) {
  const std::int64_t last = input.tableRows() - 1;
  const std::vector<float> start = rowOf(input, 0);
  // Far shifts tell the signs of slow pairs apart, near ones those of fast pairs.
  const std::array<std::int64_t, 3> shifts{1, (last + 1) / 2, last};
  std::array<std::vector<float>, 3> rows;
  std::ranges::transform(shifts, rows.begin(), [&](std::int64_t k) { return rowOf(input, k); });
  const auto pairs = std::ssize(input.frequency);
  const double amplitude = std::sqrt(dot(start, start) / static_cast<double>(pairs));
  std::vector<WaveColumns> result;
  for (std::int64_t p = 0; p < pairs; ++p) {
    WaveColumns best;
    double least = INFINITY;
    for (const double sign : {1.0, -1.0}) {
      const WaveColumns w{halves ? p : 2 * p, halves ? pairs + p : 2 * p + 1, p, input.frequency[index(p)], sign};
      double error = 0;
      for (std::size_t s = 0; s < shifts.size(); ++s)
        error = std::max(error, mismatch(w, start, rows[s], static_cast<double>(shifts[s])));
      if (error < least) least = error, best = w;
    }
    if (least > 1e-3 * amplitude) return std::nullopt;
    result.push_back(best);
  }
  return result;
}

/// Some rows of the table in double.
Matrix gathered(const InputPart<float>& input, const std::vector<std::int64_t>& rows, std::int64_t shift) {
  Matrix result(std::ssize(rows), input.tableCols());
  std::vector<float> room;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::span<const float> row = input.tableBlock(rows[r] + shift, rows[r] + shift + 1, room).row(0);
    for (std::size_t d = 0; d < row.size(); ++d)
      result(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(d)) = row[d];
  }
  return result;
}

/// Which rows of a stored table are of finite numbers: those of a file need not be. Whatever is made row by row is.
std::vector<bool> finiteRows(const InputPart<float>& input) {
  std::vector<bool> finite(index(input.tableRows()), true);
  for (std::int64_t r = 0; r < input.table.rows; ++r)
    finite[index(r)] = std::ranges::all_of(input.table.row(r), [](float v) { return std::isfinite(v); });
  return finite;
}

/// left · right in blocks of rows; false when stopped.
template <class M, class Left, class Right>
bool multiply(M& out, const Left& left, const Right& right, const Job& job) {
  out.resize(left.rows(), right.cols());
  return parallelBlocks(left.rows(), block_rows, job, [&](std::int64_t begin, std::int64_t end) {
    out.middleRows(begin, end - begin).noalias() = left.middleRows(begin, end - begin) * right;
  });
}

}  // namespace

std::optional<std::vector<WaveColumns>> waveColumns(const InputPart<float>& input) {
  if (!isToeplitz(input) || input.tableRows() < 2) return std::nullopt;
  if (auto neighbours = fitting(input, false)) return neighbours;
  return fitting(input, true);
}

std::vector<ShiftRow> turnedRows(const std::vector<WaveColumns>& columns, std::int64_t dim, double k) {
  std::vector<ShiftRow> rows(index(dim));
  for (const WaveColumns& w : columns) {
    const double cosine = std::cos(k * w.frequency), sine = std::sin(k * w.frequency);
    rows[index(w.first)] = {cosine, w.sign * sine, w.sign, w.second, w.pair};
    rows[index(w.second)] = {cosine, -w.sign * sine, -w.sign, w.first, w.pair};
  }
  return rows;
}

std::optional<double> shiftError(const InputPart<float>& input, const std::vector<ShiftRow>& rows, std::int64_t k,
                                 const Job& job) {
  const std::int64_t possible = input.tableRows() - k;
  const std::int64_t count = std::min(possible, most_checked);
  std::vector<double> errors(index(count), 0.0);
  const bool complete = parallelBlocks(count, block_rows, job, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end; ++c) {
      const std::int64_t p = c * possible / count;
      const std::vector<float> from = rowOf(input, p);
      const std::vector<float> to = rowOf(input, p + k);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const double cross = rows[r].partner < 0 ? 0 : rows[r].cross * from[index(rows[r].partner)];
        errors[index(c)] = std::max(errors[index(c)], std::abs(rows[r].diagonal * from[r] + cross - to[r]));
      }
    }
  });
  if (!complete) return std::nullopt;
  return count > 0 ? *std::ranges::max_element(errors) : 0;
}

std::int64_t rowsOfFit(const InputPart<float>& input, std::int64_t k, bool draft) {
  return 4 * std::min((input.tableRows() - k + 1) / 2, draft ? most_drafted : most_fitted);
}

std::optional<FittedShift> fitShift(const InputPart<float>& input, std::int64_t k, bool draft, const Job& job) {
  FittedShift result;
  const std::vector<bool> finite = finiteRows(input);
  std::vector<std::int64_t> possible;
  for (std::int64_t p = 0; p < input.tableRows() - k; ++p)
    if (finite[index(p)] && finite[index(p + k)]) possible.push_back(p);
  result.possible = std::ssize(possible);
  result.left_out = std::ranges::count(finite, false);
  if (possible.empty()) return result;
  const std::int64_t halves = (result.possible + 1) / 2;
  const std::int64_t full = std::min(halves, most_fitted);
  const std::int64_t count = draft ? std::min(full, most_drafted) : full;
  result.draft = count < full;
  std::vector<std::int64_t> taken, tried;
  for (std::int64_t c = 0; c < count; ++c) {
    const std::int64_t at = 2 * (c * halves / count);
    taken.push_back(possible[index(at)]);
    if (at + 1 < result.possible) tried.push_back(possible[index(at + 1)]);
  }
  result.fitted = count;
  result.tested = std::ssize(tried);
  const Matrix from = gathered(input, taken, 0);
  const Matrix new_from = gathered(input, tried, 0);
  const Matrix new_to = gathered(input, tried, k);
  Steps steps(job, 3);
  // M = Yᵀ (X Xᵀ + λ)⁻¹ X: the side of the system is the number of rows, however wide the table is.
  Matrix gram;
  if (!multiply(gram, from, from.transpose(), steps.next())) return std::nullopt;
  gram.diagonal().array() += std::max(ridge * gram.trace() / static_cast<double>(count), 1e-300);
  const Matrix left = gram.llt().solve(gathered(input, taken, k)).transpose();
  if (steps.next().stopped()) return std::nullopt;
  result.matrix.resize(index(input.tableCols() * input.tableCols()));
  Eigen::Map<FloatMatrix> matrix(result.matrix.data(), input.tableCols(), input.tableCols());
  std::vector<double> missed(index(input.tableCols()));
  // In double: where rows depend on each other `left` holds numbers as large as 1 / λ, which only the product cancels.
  // The residual is that of the rounded matrix, which is shown.
  const bool complete =
      parallelBlocks(left.rows(), matrix_rows, steps.next(), [&](std::int64_t begin, std::int64_t end) {
        const Matrix exact = left.middleRows(begin, end - begin) * from;
        matrix.middleRows(begin, end - begin) = exact.cast<float>();
        const Matrix shown = matrix.middleRows(begin, end - begin).cast<double>();
        const Matrix error = shown * new_from.transpose() - new_to.middleCols(begin, end - begin).transpose();
        for (std::int64_t r = begin; r < end; ++r) missed[index(r)] = error.row(r - begin).squaredNorm();
      });
  if (!complete) return std::nullopt;
  const double size = new_to.norm();
  result.residual = size > 0 ? std::sqrt(std::accumulate(missed.begin(), missed.end(), 0.0)) / size : 0;
  return result;
}

}  // namespace posiscope::measures

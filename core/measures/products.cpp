// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/products.h"

#include "core/buffers.h"
#include "core/parallel.h"
#include "core/profile.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Block = Eigen::Map<const Matrix>;
constexpr std::int64_t block_rows = 64;

/// Multiply-adds that are spent on an average; more rows than that are sampled (about 50 ms on one core).
constexpr double most_products = 2.7e8;

}  // namespace

double dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += static_cast<double>(a[d]) * static_cast<double>(b[d]);
  return sum;
}

std::vector<float> selfProducts(Rows<float> table, bool cosine, const Job& job) {
  const std::int64_t n = table.rows;
  std::vector<float> inverse(static_cast<std::size_t>(n), 1.0F);
  if (cosine)
    for (std::int64_t i = 0; i < n; ++i) {
      const double square = dot(table.row(i), table.row(i));
      inverse[static_cast<std::size_t>(i)] = square > 0 ? static_cast<float>(1 / std::sqrt(square)) : 0.0F;
    }
  std::vector<float> out = takeBuffer(static_cast<std::size_t>(n * n));
  const Block all(table.data, n, table.cols);
  Eigen::Map<Matrix> products(out.data(), n, n);
  const bool complete = parallelBlocks(n, block_rows, job, [&](std::int64_t begin, std::int64_t end) {
    // The lower triangle; the upper one is its mirror.
    products.block(begin, 0, end - begin, end).noalias() = all.middleRows(begin, end - begin) * all.topRows(end).transpose();
    for (std::int64_t i = begin; i < end; ++i)
      for (std::int64_t j = 0; j <= i; ++j)
        products(i, j) *= inverse[static_cast<std::size_t>(i)] * inverse[static_cast<std::size_t>(j)];
  });
  const bool mirrored = complete && parallelBlocks(n, block_rows, job, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t j = begin; j < n; ++j)
      for (std::int64_t i = begin; i < std::min(end, j); ++i) products(i, j) = products(j, i);
  });
  if (!mirrored) out.clear();
  return out;
}

bool isToeplitz(const InputPart<float>& input) {
  return !input.frequency.empty() && 2 * static_cast<std::int64_t>(input.frequency.size()) <= input.table.cols;
}

std::vector<double> tableProfile(const InputPart<float>& input, const Job& job) {
  const OffsetRotation turning{input.frequency, {}, 1};
  std::vector<double> profile = onesScores(turning, 0, input.table.rows, job);
  if (profile.empty()) return profile;
  // Any row's square is amplitude²·pairs, and the profile is 2·pairs at 0.
  const double factor = dot(input.table.row(0), input.table.row(0)) / profile.front();
  for (double& value : profile) value *= factor;
  return profile;
}

MeanProducts meanProducts(Rows<float> table, const Job& job) {
  const std::int64_t n = table.rows;
  const double all = static_cast<double>(n) * static_cast<double>(n) / 2 * static_cast<double>(table.cols);
  MeanProducts result;
  const double affordable = std::max(8.0, std::floor(most_products / (static_cast<double>(n) / 2 * static_cast<double>(table.cols))));
  result.sampled_rows = all <= most_products ? n : std::min(n, static_cast<std::int64_t>(affordable));
  const std::int64_t rows = result.sampled_rows;
  std::vector<std::int64_t> from;
  for (std::int64_t r = 0; r < rows; ++r) from.push_back(r * n / rows);
  result.mean.assign(static_cast<std::size_t>(n), 0.0);
  const Block whole(table.data, n, table.cols);
  const bool complete = parallelBlocks(n, block_rows, job, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(end - begin));
    Eigen::VectorXf products;
    for (const std::int64_t i : from) {
      const std::int64_t last = std::min(end, n - i);  // offsets begin … last − 1 stay inside
      if (last <= begin) break;
      products.noalias() = whole.middleRows(i + begin, last - begin) * whole.row(i).transpose();
      for (std::int64_t k = 0; k < last - begin; ++k) {
        result.mean[static_cast<std::size_t>(begin + k)] += static_cast<double>(products(k));
        ++counts[static_cast<std::size_t>(k)];
      }
    }
    for (std::int64_t k = begin; k < end; ++k)
      result.mean[static_cast<std::size_t>(k)] /= static_cast<double>(counts[static_cast<std::size_t>(k - begin)]);
  });
  if (!complete) result.mean.clear();
  return result;
}

}  // namespace posiscope::measures

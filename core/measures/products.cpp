// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/products.h"

#include "core/buffers.h"
#include "core/parallel.h"
#include "core/profile.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <Eigen/Core>

namespace posiscope::measures {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Block = Eigen::Map<const Matrix>;
constexpr std::int64_t block_rows = 64;
constexpr std::int64_t tile_rows = 256;

/// Multiply-adds that are spent on an average; more rows than that are sampled (about 50 ms on one core).
constexpr double most_products = 2.7e8;

std::int64_t sampledRows(std::int64_t n, std::int64_t d) {
  const double each = static_cast<double>(n) / 2 * static_cast<double>(d);
  if (static_cast<double>(n) * each <= most_products) return n;
  return std::min(n, static_cast<std::int64_t>(std::max(8.0, std::floor(most_products / each))));
}

}  // namespace

double dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += static_cast<double>(a[d]) * static_cast<double>(b[d]);
  return sum;
}

std::int64_t rowsOfProducts(std::int64_t n) {
  std::int64_t rows = 2 * n;  // the lengths and the left sides
  for (std::int64_t end = block_rows; end < n + block_rows; end += block_rows) rows += std::min(end, n);
  return rows;
}

std::vector<float> selfProducts(const InputPart<float>& input, std::int64_t n, bool cosine, const Job& job) {
  const std::int64_t d = input.tableCols();
  std::vector<float> inverse(static_cast<std::size_t>(n), 1.0F);
  std::vector<float> one;
  for (std::int64_t i = 0; cosine && i < n; ++i) {
    const std::span<const float> row = input.tableBlock(i, i + 1, one).row(0);
    const double square = dot(row, row);
    inverse[static_cast<std::size_t>(i)] = square > 0 ? static_cast<float>(1 / std::sqrt(square)) : 0.0F;
  }
  std::vector<float> out = takeBuffer(static_cast<std::size_t>(n * n));
  Eigen::Map<Matrix> products(out.data(), n, n);
  const Job product = job.part(0, 0.9);
  const bool complete = parallelBlocks(n, block_rows, product, [&](std::int64_t begin, std::int64_t end) {
    // The lower triangle; the upper one is its mirror. Square tiles, because rows that are not stored are made here.
    std::vector<float> left_room, right_room;
    const Block left(input.tableBlock(begin, end, left_room).data, end - begin, d);
    for (std::int64_t from = 0; from < end; from += tile_rows) {
      const std::int64_t to = std::min(end, from + tile_rows);
      const Block right(input.tableBlock(from, to, right_room).data, to - from, d);
      products.block(begin, from, end - begin, to - from).noalias() = left * right.transpose();
    }
    for (std::int64_t i = begin; i < end; ++i)
      for (std::int64_t j = 0; j <= i; ++j)
        products(i, j) *= inverse[static_cast<std::size_t>(i)] * inverse[static_cast<std::size_t>(j)];
  });
  const Job mirror = job.part(0.9, 1);
  const bool mirrored = complete && parallelBlocks(n, block_rows, mirror, [&](std::int64_t begin, std::int64_t end) {
                          for (std::int64_t j = begin; j < n; ++j)
                            for (std::int64_t i = begin; i < std::min(end, j); ++i) products(i, j) = products(j, i);
                        });
  if (!mirrored) out.clear();
  return out;
}

bool isToeplitz(const InputPart<float>& input) {
  return !input.frequency.empty() && 2 * static_cast<std::int64_t>(input.frequency.size()) <= input.tableCols();
}

std::vector<double> tableProfile(const InputPart<float>& input, const Job& job) {
  const OffsetRotation turning{input.frequency, {}, 1};
  std::vector<double> profile = onesScores(turning, 0, input.tableRows(), job);
  if (profile.empty()) return profile;
  // Any row's square is amplitude²·pairs, and the profile is 2·pairs at 0.
  std::vector<float> room;
  const std::span<const float> row = input.tableBlock(0, 1, room).row(0);
  const double factor = dot(row, row) / profile.front();
  for (double& value : profile) value *= factor;
  return profile;
}

std::int64_t rowsOfMeans(const InputPart<float>& input) {
  const std::int64_t n = input.tableRows();
  return n * (sampledRows(n, input.tableCols()) + 1) / 2;
}

MeanProducts meanProducts(const InputPart<float>& input, const Job& job) {
  const std::int64_t n = input.tableRows();
  const std::int64_t d = input.tableCols();
  MeanProducts result;
  result.sampled_rows = sampledRows(n, d);
  const std::int64_t rows = result.sampled_rows;
  std::vector<std::int64_t> from;
  for (std::int64_t r = 0; r < rows; ++r) from.push_back(r * n / rows);
  result.mean.assign(static_cast<std::size_t>(n), 0.0);
  std::atomic<std::int64_t> left_out = 0;
  const bool complete = parallelBlocks(n, block_rows, job, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(end - begin));
    std::int64_t skipped = 0;
    Eigen::VectorXf products;
    std::vector<float> room, one;
    for (const std::int64_t i : from) {
      const std::int64_t last = std::min(end, n - i);  // offsets begin … last − 1 stay inside
      if (last <= begin) break;
      const Block later(input.tableBlock(i + begin, i + last, room).data, last - begin, d);
      const Block row(input.tableBlock(i, i + 1, one).data, 1, d);
      products.noalias() = later * row.row(0).transpose();
      for (std::int64_t k = 0; k < last - begin; ++k) {
        if (!std::isfinite(products(k))) {
          ++skipped;
          continue;
        }
        result.mean[static_cast<std::size_t>(begin + k)] += static_cast<double>(products(k));
        ++counts[static_cast<std::size_t>(k)];
      }
    }
    for (std::int64_t k = begin; k < end; ++k)
      result.mean[static_cast<std::size_t>(k)] /= static_cast<double>(counts[static_cast<std::size_t>(k - begin)]);
    left_out += skipped;
  });
  result.left_out = left_out;
  if (!complete) result.mean.clear();
  return result;
}

}  // namespace posiscope::measures

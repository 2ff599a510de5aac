// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/metrics/ridge_probe.h"

#include <cassert>
#include <cmath>
#include <Eigen/Cholesky>

namespace posiscope::train {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

void RidgeProbe::add(std::span<const double> rows, std::int64_t width, std::span<const double> indices) {
  assert(rows.size() == indices.size() * static_cast<std::size_t>(width));
  width_ = width;
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  indices_.insert(indices_.end(), indices.begin(), indices.end());
}

void RidgeProbe::fit(double lambda) {
  const auto count = static_cast<std::int64_t>(indices_.size());
  Eigen::Map<RowMajor> z(rows_.data(), count, width_);
  const Eigen::RowVectorXd mean = z.colwise().mean();
  z.rowwise() -= mean;
  Eigen::Map<Eigen::VectorXd> y(indices_.data(), count);
  mean_index_ = y.mean();
  y.array() -= mean_index_;
  RowMajor normal = z.transpose() * z;
  normal.diagonal().array() += lambda * static_cast<double>(count);
  const Eigen::VectorXd weights = normal.ldlt().solve(z.transpose() * y);
  mean_.assign(mean.data(), mean.data() + width_);
  weights_.assign(weights.data(), weights.data() + width_);
  rows_.clear();
  indices_.clear();
}

RidgeProbe::Score RidgeProbe::judge(std::span<const double> rows, std::span<const double> indices) const {
  const auto width = static_cast<std::size_t>(width_);
  double mean = 0;
  for (const double y : indices) mean += y / static_cast<double>(indices.size());
  double residual = 0, total = 0, hits = 0;
  for (std::size_t r = 0; r < indices.size(); ++r) {
    double found = mean_index_;
    for (std::size_t c = 0; c < width; ++c) found += (rows[r * width + c] - mean_[c]) * weights_[c];
    residual += (found - indices[r]) * (found - indices[r]);
    total += (indices[r] - mean) * (indices[r] - mean);
    hits += std::floor(found + 0.5) == indices[r] ? 1 : 0;
  }
  return {total > 0 ? 1 - residual / total : 0, indices.empty() ? 0 : hits / static_cast<double>(indices.size())};
}

}  // namespace posiscope::train

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace posiscope::train {

/// Ridge regression of a token's index from its hidden row: how much of the position can be read off a model.
class RidgeProbe {
 public:
  /// Rows of `width` numbers with the index each stands at.
  void add(std::span<const double> rows, std::int64_t width, std::span<const double> indices);
  /// w = (ZᵀZ + λ·rows·I)⁻¹ Zᵀy on centred rows and indices.
  void fit(double lambda = 1e-3);

  struct Score {
    double r2 = 0;   ///< 1 − residual / total, about the mean of the rows that are judged
    double hit = 0;  ///< share that rounds to its own index
  };
  /// On other rows than those it was fitted to.
  Score judge(std::span<const double> rows, std::span<const double> indices) const;

 private:
  std::int64_t width_ = 0;
  std::vector<double> rows_, indices_;
  std::vector<double> mean_, weights_;
  double mean_index_ = 0;
};

}  // namespace posiscope::train

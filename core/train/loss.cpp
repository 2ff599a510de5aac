// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/model.h"

#include <algorithm>

namespace posiscope::train {

template <class T>
BatchLoss Model<T>::loss(const Batch& batch) {
  BatchLoss result;
  for (const std::int32_t target : batch.targets) result.counted += target >= 0;
  const double weight = result.counted > 0 ? 1.0 / static_cast<double>(result.counted) : 0.0;
  const std::int64_t classes = spec_.outputs();
  constexpr std::int64_t block = 128;
  inBlocks(extent_.rows(), block, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      T* row = logits_.data() + r * classes;
      const std::int32_t target = batch.targets[static_cast<std::size_t>(r)];
      right_.data()[r] = target >= 0 && std::max_element(row, row + classes) - row == target;
      losses_.data()[r] = target >= 0 ? kernels_->crossEntropy(classes, target, weight, row) : 0.0;
      if (target < 0) std::fill_n(row, classes, T(0));
    }
  });
  double sum = 0;
  for (std::int64_t r = 0; r < extent_.rows(); ++r) {
    sum += losses_.data()[r];
    result.right += right_.data()[r];
  }
  result.loss = sum * weight;
  return result;
}

template class Model<float>;
template class Model<double>;

}  // namespace posiscope::train

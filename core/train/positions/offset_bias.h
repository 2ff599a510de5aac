// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/buffer.h"
#include "core/train/kernels/kernels.h"
#include "core/train/position.h"

namespace posiscope::train::positions {

/// A bias by head and n = i − j, the same in every layer. A kind fills `set` in `fit` or `refresh`; where it has
/// parameters, `finish` reads with `sumOf` the gradient at (head, n), summed over batch and layers.
template <class T>
class OffsetBias : public Position<T> {
 public:
  explicit OffsetBias(std::int64_t heads) : heads_(heads) {}

  Outcome fit(const Extent& extent) override {
    length_ = extent.length;
    bias_.resize(heads_ * diagonals());
    return {};
  }
  void addToLogits(const Head<T>& head, T* s) override {
    const T* bias = bias_.data() + head.head * diagonals() + length_ - 1;
    for (std::int64_t i = 0; i < length_; ++i)
      kernels<T>().add(head.causal ? i + 1 : length_, bias - i, s + i * length_);
  }
  void addToLogitsBackward(const Head<T>& head, T* ds, T*, T*, T* partial) override {
    if (!isTrained()) return;
    T* sums = partial + head.head * diagonals() + length_ - 1;
    for (std::int64_t i = 0; i < length_; ++i)
      kernels<T>().add(head.causal ? i + 1 : length_, ds + i * length_, sums - i);
  }
  std::int64_t partialSize() const override { return isTrained() ? heads_ * diagonals() : 0; }

 protected:
  virtual bool isTrained() const { return true; }
  std::int64_t diagonals() const { return 2 * length_ - 1; }
  // Diagonals lie by j − i, so that a row of keys meets them in ascending order.
  std::int64_t cell(std::int64_t head, std::int64_t n) const { return head * diagonals() + length_ - 1 - n; }
  void set(std::int64_t head, std::int64_t n, double value) { bias_.data()[cell(head, n)] = static_cast<T>(value); }
  double sumOf(const T* sums, std::int64_t head, std::int64_t n) const {
    return static_cast<double>(sums[cell(head, n)]);
  }

  std::int64_t heads_;
  std::int64_t length_ = 0;

 private:
  Buffer<T> bias_;
};

}  // namespace posiscope::train::positions

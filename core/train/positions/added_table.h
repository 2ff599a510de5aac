// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/buffer.h"
#include "core/train/kernels/kernels.h"
#include "core/train/position.h"

namespace posiscope::train::positions {

/// A table that is added to the words, the same for every sequence. A kind fills `table_` in `fit` or `refresh`; where
/// it has parameters, `finish` gets the sum of ∂x over the sequences, [length, d_model].
template <class T>
class AddedTable : public Position<T> {
 public:
  explicit AddedTable(std::int64_t width) : width_(width) {}

  Outcome fit(const Extent& extent) override {
    length_ = extent.length;
    table_.resize(length_ * width_);
    return {};
  }
  void addToInput(const Sequences& s, T* x) override {
    for (std::int64_t b = 0; b < s.count; ++b)
      kernels<T>().add(length_ * width_, table_.data(), x + b * length_ * width_);
  }
  void addToInputBackward(const Sequences& s, T* dx, T* partial) override {
    if (!isTrained()) return;
    for (std::int64_t b = 0; b < s.count; ++b) kernels<T>().add(length_ * width_, dx + b * length_ * width_, partial);
  }
  std::int64_t partialSize() const override { return isTrained() ? length_ * width_ : 0; }

 protected:
  virtual bool isTrained() const { return true; }

  std::int64_t width_;
  std::int64_t length_ = 0;
  Buffer<T> table_;
};

/// A learned table has a row for each position, never wrapped and never clamped. Error: past_table.
Outcome checkRows(std::string_view scheme, std::string_view table, std::int64_t needed, std::int64_t rows);

}  // namespace posiscope::train::positions

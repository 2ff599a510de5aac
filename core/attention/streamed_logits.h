// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/streamed_rows.h"
#include "core/attention/streamed_turn.h"
#include "core/job.h"
#include "core/mask.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace posiscope::attention {

/// What the softmax of a row needs of all its keys: their largest logit, and Σ e^(logit − top) over the allowed ones.
struct RowSum {
  double top = -std::numeric_limits<double>::infinity();
  double sum = 0;

  /// Adds Σ e^(logit − other.top).
  void add(const RowSum& other);
};

/// The logits of one head of a sequence too long for its map: any of them at any time, and the sums of any row. Nothing
/// of the size of the map is ever kept. Immutable; safe from several threads.
class StreamedLogits {
 public:
  StreamedLogits(const Shape& shape, Mask mask) : shape_(shape), mask_(std::move(mask)) {}
  virtual ~StreamedLogits() = default;

  const Shape& shape() const { return shape_; }
  const Mask& mask() const { return mask_; }

  /// Logits of these queries and keys, [rows, cols], masked or not.
  virtual void fill(std::span<const std::int64_t> rows, std::span<const std::int64_t> cols, float* out) const = 0;
  /// The sums of these rows, which ascend; empty when the job was stopped.
  virtual std::vector<RowSum> sums(std::span<const std::int64_t> rows, const Job& job) const = 0;
  /// The same from a few thousand keys that stand for all: soon.
  virtual std::vector<RowSum> draft(std::span<const std::int64_t> rows) const = 0;
  /// Are the sums themselves to be had at once?
  virtual bool isQuick() const { return false; }

 private:
  Shape shape_;
  Mask mask_;
};

/// What a head's logits are made of.
struct StreamedHead {
  std::shared_ptr<const Encoding<float>> encoding;  ///< rotation, offset bias, scale and factors of it are applied
  FillRows queries;                                 ///< [head_dim], before rotation
  FillRows keys;
  std::int64_t head = 0;
};
/// logit = scale·factor·R q·R k + bias of the offset, in single precision, sums in double. Keys are made block by
/// block and meet all rows at once; a stop is heard within milliseconds.
std::unique_ptr<const StreamedLogits> contentLogits(StreamedHead head, const Shape& shape, Mask mask);

}  // namespace posiscope::attention

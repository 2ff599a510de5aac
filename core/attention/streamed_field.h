// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/streamed_logits.h"
#include "core/slow_field.h"

#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace posiscope::attention {

/// Attention weights, or logits, [L_q, L_k], of which no cell is stored. The sums of a row are worked out once and kept
/// for every later window. A sample that covers many cells looks at the row under its middle and at no more than
/// `most_keys` keys of it, evenly spread.
class StreamedField final : public SlowField {
 public:
  static constexpr std::int64_t most_keys = 4;
  enum class Quantity { weights, logits };

  StreamedField(std::unique_ptr<const StreamedLogits> logits, Quantity quantity);

  std::int64_t rows() const override { return logits_->shape().queries(); }
  std::int64_t cols() const override { return logits_->shape().keys(); }
  float at(std::int64_t row, std::int64_t col) const override;
  void sample(const FieldWindow& window, std::int64_t height, std::int64_t width, Reduction reduction,
              std::span<float> out) const override;
  Limits limits() const override;
  bool isFinal(const FieldWindow& window, std::int64_t height) const override;
  bool refine(const FieldWindow& window, std::int64_t height, const Job& job) const override;
  bool isKnown(std::int64_t row) const override;
  float now(std::int64_t row, std::int64_t col) const override;
  /// How many rows have been summed over all their keys so far.
  std::int64_t streamedRows() const;

 private:
  using Sums = std::unordered_map<std::int64_t, RowSum>;

  bool needsSums() const { return quantity_ == Quantity::weights; }
  std::vector<std::int64_t> unknown(std::vector<std::int64_t> rows) const;
  void keep(Sums& sums, std::span<const std::int64_t> rows, const std::vector<RowSum>& found) const;
  bool sumUp(const std::vector<std::int64_t>& rows, const Job& job) const;
  std::vector<RowSum> sumsNow(std::span<const std::int64_t> rows) const;
  void weigh(std::int64_t row, std::span<const std::int64_t> cols, const RowSum& sum, float* logits) const;
  std::vector<float> cells(std::span<const std::int64_t> rows, std::span<const std::int64_t> cols) const;

  std::unique_ptr<const StreamedLogits> logits_;
  Quantity quantity_;
  mutable std::mutex mutex_;
  mutable Sums known_, drafts_;
  mutable std::int64_t streamed_ = 0;
  mutable std::once_flag searched_;
  mutable Limits limits_{0, 0, false};
};

/// Bytes up to which weights are stored where the whole sequence is wanted and can be streamed, 64 MiB at first: 4096
/// tokens of one head.
double storedWeightsLimit();
void setStoredWeightsLimit(double bytes);

}  // namespace posiscope::attention

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/streamed_offsets.h"

#include "core/parallel.h"
#include "core/profile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace posiscope::attention {
namespace {

constexpr std::int64_t block_offsets = 1024;

class OffsetLogits final : public StreamedLogits {
 public:
  OffsetLogits(std::vector<float> profile, const Shape& shape, Mask mask)
      : StreamedLogits(shape, std::move(mask)), profile_(std::move(profile)) {
    const auto size = std::ssize(profile_);
    blocks_.resize(static_cast<std::size_t>((size + block_offsets - 1) / block_offsets));
    parallelBlocks(std::ssize(blocks_), 16, Job(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t b = begin; b < end; ++b)
        blocks_[static_cast<std::size_t>(b)] = plainSum(b * block_offsets, std::min((b + 1) * block_offsets, size));
    });
  }

  void fill(std::span<const std::int64_t> rows, std::span<const std::int64_t> cols, float* out) const override {
    for (const std::int64_t row : rows)
      for (const std::int64_t col : cols) *out++ = profile_[static_cast<std::size_t>(placeOf(row, col))];
  }

  std::vector<RowSum> sums(std::span<const std::int64_t> rows, const Job& job) const override {
    std::vector<RowSum> found(rows.size());
    const bool finished = parallelBlocks(std::ssize(rows), 1, job, [&](std::int64_t r, std::int64_t) {
      const std::int64_t row = rows[static_cast<std::size_t>(r)];
      found[static_cast<std::size_t>(r)] = mask().hasHoles() ? sumWithHoles(row, job) : sumOfSpan(row);
    });
    if (!finished || job.stopped()) found.clear();
    return found;
  }

  /// As if the mask had no holes.
  std::vector<RowSum> draft(std::span<const std::int64_t> rows) const override {
    std::vector<RowSum> found;
    for (const std::int64_t row : rows) found.push_back(sumOfSpan(row));
    return found;
  }

  bool isQuick() const override { return !mask().hasHoles(); }

 private:
  std::int64_t placeOf(std::int64_t row, std::int64_t col) const {
    return row + shape().queryOffset() - col + shape().keys() - 1;
  }

  /// Of the offsets at these places.
  RowSum plainSum(std::int64_t begin, std::int64_t end) const {
    if (begin >= end) return {};
    const std::span<const float> part(profile_.data() + begin, static_cast<std::size_t>(end - begin));
    RowSum sum{static_cast<double>(*std::ranges::max_element(part)), 0};
    if (sum.top == -std::numeric_limits<double>::infinity()) return {};
    for (const float logit : part) sum.sum += std::exp(static_cast<double>(logit) - sum.top);
    return sum;
  }

  RowSum sumOfSpan(std::int64_t row) const {
    const Mask::Span span = mask().span(shape(), row);
    if (span.begin >= span.end) return {};
    const std::int64_t begin = placeOf(row, span.end - 1), end = placeOf(row, span.begin) + 1;
    const std::int64_t first = (begin + block_offsets - 1) / block_offsets, last = end / block_offsets;
    if (first >= last) return plainSum(begin, end);
    RowSum sum = plainSum(begin, first * block_offsets);
    for (std::int64_t b = first; b < last; ++b) sum.add(blocks_[static_cast<std::size_t>(b)]);
    sum.add(plainSum(last * block_offsets, end));
    return sum;
  }

  RowSum sumWithHoles(std::int64_t row, const Job& job) const {
    RowSum total;
    const Mask::Span span = mask().span(shape(), row);
    for (std::int64_t col = span.begin; col < span.end && !job.stopped();) {
      const std::int64_t end = std::min(col + block_offsets, span.end);
      RowSum part;
      std::vector<float> seen;
      for (; col < end; ++col)
        if (mask().allows(shape(), row, col)) seen.push_back(profile_[static_cast<std::size_t>(placeOf(row, col))]);
      if (seen.empty()) continue;
      part.top = static_cast<double>(*std::ranges::max_element(seen));
      if (part.top == -std::numeric_limits<double>::infinity()) continue;
      for (const float logit : seen) part.sum += std::exp(static_cast<double>(logit) - part.top);
      total.add(part);
    }
    return total;
  }

  std::vector<float> profile_;
  std::vector<RowSum> blocks_;
};

}  // namespace

std::unique_ptr<const StreamedLogits> offsetLogits(std::vector<float> profile, const Shape& shape, Mask mask) {
  return std::make_unique<OffsetLogits>(std::move(profile), shape, std::move(mask));
}

std::vector<float> offsetProfile(const Encoding<float>& encoding, std::int64_t head, float value, const Shape& shape,
                                 const Job& job) {
  if (!encoding.query_factor.empty() || encoding.logits.score.prepare || encoding.input.transform ||
      encoding.input.hasTable())
    return {};
  const std::int64_t size = 2 * shape.keys() - 1;
  std::vector<float> profile(static_cast<std::size_t>(size));
  const double square = static_cast<double>(value) * static_cast<double>(value) * encoding.logit_scale;
  const auto standing = static_cast<double>(shape.head_dim - (encoding.rotation ? encoding.rotation->rotary_dim : 0));
  std::vector<double> scores;
  if (encoding.rotation) {
    const auto even = offsetRotation(*encoding.rotation, encoding.rotation->sets > 1 ? head : 0);
    if (!even) return {};
    scores = onesScores(*even, -static_cast<double>(shape.keys() - 1), size, job);
    if (scores.empty()) return {};
  }
  const auto* bias = std::get_if<OffsetBias<float>>(&encoding.logits.bias);
  if (!bias && encoding.logits.hasBias()) return {};
  const float* added = bias ? bias->values.data() + head * size : nullptr;
  for (std::int64_t n = 0; n < size; ++n) {
    const auto k = static_cast<std::size_t>(n);
    profile[k] = static_cast<float>(square * ((scores.empty() ? 0.0 : scores[k]) + standing));
    if (added) profile[k] += added[n];
  }
  return profile;
}

}  // namespace posiscope::attention

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/streamed_logits.h"

#include "core/parallel.h"
#include "core/train/kernels/kernels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace posiscope::attention {
namespace {

// Keys of one thread's share, whose sums are joined in order whoever made them; of one block, which with its logits
// stays in the second cache; rows that meet a block at once.
constexpr std::int64_t share_keys = 16384;
constexpr std::int64_t block_keys = 512;
constexpr std::int64_t block_rows = 96;

/// A draft looks at so many keys all over the sequence and at so many on each side of the query.
constexpr std::int64_t draft_keys = 4096;
constexpr std::int64_t draft_near = 32;

template <class T>
void grow(std::vector<T>& room, std::int64_t count) {
  if (room.size() < static_cast<std::size_t>(count)) room.resize(static_cast<std::size_t>(count));
}

/// Sums of logits that are all allowed; they become e^(logit − top).
RowSum sumOf(std::int64_t count, float* logits) {
  const train::Kernels<float>& kernels = train::kernels<float>();
  if (count == 0) return {};
  const float top = kernels.largest(count, logits);
  if (top == -std::numeric_limits<float>::infinity()) return {};
  return {static_cast<double>(top), kernels.exponentials(count, top, logits)};
}

class ContentLogits final : public StreamedLogits {
 public:
  ContentLogits(StreamedHead head, const Shape& shape, Mask mask);

  void fill(std::span<const std::int64_t> rows, std::span<const std::int64_t> cols, float* out) const override;
  std::vector<RowSum> sums(std::span<const std::int64_t> rows, const Job& job) const override;
  std::vector<RowSum> draft(std::span<const std::int64_t> rows) const override;

 private:
  std::vector<float> makeQueries(std::span<const std::int64_t> rows) const;
  void makeKeys(std::int64_t first, std::int64_t count, float* out) const;
  std::vector<float> makeKeys(std::span<const std::int64_t> cols) const;
  void multiply(const float* queries, std::int64_t rows, const float* packed, std::int64_t cols, float* out) const;
  void addBias(std::int64_t row, std::int64_t first, std::int64_t count, float* logits) const;
  std::int64_t allowedOf(std::int64_t row, std::int64_t first, std::int64_t count, float* logits) const;
  bool addShare(std::span<const std::int64_t> rows, std::span<const Mask::Span> spans, const float* queries,
                Mask::Span keys, const Job& job, RowSum* sums) const;
  RowSum nearSum(std::int64_t row, const float* query) const;

  StreamedHead head_;
  std::optional<LongRotor> rotor_;
  std::vector<float> bias_;  ///< of the head, by key − query + L − 1: beside each other where keys are
  std::vector<std::int64_t> draft_cols_;
  std::vector<float> draft_packed_;
};

ContentLogits::ContentLogits(StreamedHead head, const Shape& shape, Mask mask)
    : StreamedLogits(shape, std::move(mask)), head_(std::move(head)) {
  const Encoding<float>& encoding = *head_.encoding;
  if (encoding.rotation) rotor_.emplace(*encoding.rotation, encoding.rotation->sets > 1 ? head_.head : 0);
  if (const auto* bias = std::get_if<OffsetBias<float>>(&encoding.logits.bias)) {
    const std::int64_t width = 2 * bias->max_offset + 1;
    bias_.assign(bias->values.begin() + head_.head * width, bias->values.begin() + (head_.head + 1) * width);
    std::ranges::reverse(bias_);
  }
  const std::int64_t keys = shape.keys(), count = std::min(keys, draft_keys);
  for (std::int64_t k = 0; k < count; ++k) draft_cols_.push_back((2 * k + 1) * keys / (2 * count));
  const std::vector<float> made = makeKeys(draft_cols_);
  draft_packed_.resize(static_cast<std::size_t>(train::packedSize<float>(shape.head_dim, count)));
  train::kernels<float>().pack({made.data(), shape.head_dim, true}, shape.head_dim, count, draft_packed_.data());
}

/// Turned and scaled.
std::vector<float> ContentLogits::makeQueries(std::span<const std::int64_t> rows) const {
  const std::int64_t dim = shape().head_dim, offset = shape().queryOffset();
  const Encoding<float>& encoding = *head_.encoding;
  std::vector<float> made(rows.size() * static_cast<std::size_t>(dim));
  parallelBlocks(std::ssize(rows), 16, Job(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      float* out = made.data() + r * dim;
      const std::int64_t row = rows[static_cast<std::size_t>(r)];
      head_.queries(row, 1, out);
      if (rotor_) rotor_->turn(row + offset, 1, false, out, dim);
      if (encoding.query_factor.empty()) continue;
      const double factor = encoding.query_factor[static_cast<std::size_t>(row + offset)];
      for (float& v : std::span(out, static_cast<std::size_t>(dim)))
        v = static_cast<float>(static_cast<double>(v) * factor);
    }
  });
  return made;
}

void ContentLogits::makeKeys(std::int64_t first, std::int64_t count, float* out) const {
  head_.keys(first, count, out);
  if (rotor_) rotor_->turn(first, count, true, out, shape().head_dim);
}

std::vector<float> ContentLogits::makeKeys(std::span<const std::int64_t> cols) const {
  const std::int64_t dim = shape().head_dim;
  std::vector<float> made(cols.size() * static_cast<std::size_t>(dim));
  parallelBlocks(std::ssize(cols), 64, Job(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end;) {
      // Keys beside each other are made at once.
      const std::int64_t first = cols[static_cast<std::size_t>(c)];
      std::int64_t run = 1;
      while (c + run < end && cols[static_cast<std::size_t>(c + run)] == first + run) ++run;
      makeKeys(first, run, made.data() + c * dim);
      c += run;
    }
  });
  return made;
}

void ContentLogits::multiply(const float* queries, std::int64_t rows, const float* packed, std::int64_t cols,
                             float* out) const {
  train::Product<float> product;
  product.rows = rows;
  product.cols = cols;
  product.depth = shape().head_dim;
  product.a = {queries, product.depth, false};
  product.c = {out, cols, false};
  product.scale = static_cast<float>(head_.encoding->logit_scale);
  product.packed = packed;
  train::kernels<float>().product(product);
}

/// To the logits of the keys from `first` on.
void ContentLogits::addBias(std::int64_t row, std::int64_t first, std::int64_t count, float* logits) const {
  if (bias_.empty()) return;
  const std::int64_t p = row + shape().queryOffset();
  train::kernels<float>().add(count, bias_.data() + (first - p + shape().keys() - 1), logits);
}

/// Moves the logits of the allowed keys together; how many they are.
std::int64_t ContentLogits::allowedOf(std::int64_t row, std::int64_t first, std::int64_t count, float* logits) const {
  if (!mask().hasHoles()) return count;
  std::int64_t allowed = 0;
  for (std::int64_t k = 0; k < count; ++k)
    if (mask().allows(shape(), row, first + k)) logits[allowed++] = logits[k];
  return allowed;
}

/// Adds what these keys are for every row; false when the job was stopped.
bool ContentLogits::addShare(std::span<const std::int64_t> rows, std::span<const Mask::Span> spans,
                             const float* queries, Mask::Span keys, const Job& job, RowSum* sums) const {
  const std::int64_t dim = shape().head_dim, count = std::ssize(rows);
  thread_local std::vector<float> made, packed, logits;
  grow(made, block_keys * dim);
  grow(packed, train::packedSize<float>(dim, block_keys));
  grow(logits, block_rows * block_keys);
  for (std::int64_t first = keys.begin; first < keys.end; first += block_keys) {
    const std::int64_t end = std::min(first + block_keys, keys.end);
    const auto meets = [&](const Mask::Span& s) { return s.begin < end && s.end > first; };
    bool is_made = false;
    for (std::int64_t r = 0; r < count; r += block_rows) {
      if (job.stopped()) return false;
      // Of the rows of a block only those from the first to the last that look at these keys.
      const auto in_block =
          spans.subspan(static_cast<std::size_t>(r), static_cast<std::size_t>(std::min(block_rows, count - r)));
      const auto begin = std::ranges::find_if(in_block, meets) - in_block.begin();
      if (begin == std::ssize(in_block)) continue;
      std::int64_t last = std::ssize(in_block);
      while (!meets(in_block[static_cast<std::size_t>(last - 1)])) --last;
      if (!is_made) {
        makeKeys(first, end - first, made.data());
        train::kernels<float>().pack({made.data(), dim, true}, dim, end - first, packed.data());
        is_made = true;
      }
      multiply(queries + (r + begin) * dim, last - begin, packed.data(), end - first, logits.data());
      for (std::int64_t k = begin; k < last; ++k) {
        const Mask::Span span = in_block[static_cast<std::size_t>(k)];
        const std::int64_t from = std::max(span.begin, first), to = std::min(span.end, end);
        if (from >= to) continue;
        const std::int64_t row = rows[static_cast<std::size_t>(r + k)];
        float* line = logits.data() + (k - begin) * (end - first) + (from - first);
        addBias(row, from, to - from, line);
        sums[r + k].add(sumOf(allowedOf(row, from, to - from, line), line));
      }
    }
  }
  return true;
}

std::vector<RowSum> ContentLogits::sums(std::span<const std::int64_t> rows, const Job& job) const {
  Mask::Span keys{shape().keys(), 0};
  std::vector<Mask::Span> spans;
  for (const std::int64_t row : rows) {
    spans.push_back(mask().span(shape(), row));
    if (spans.back().begin >= spans.back().end) continue;
    keys.begin = std::min(keys.begin, spans.back().begin);
    keys.end = std::max(keys.end, spans.back().end);
  }
  std::vector<RowSum> total(rows.size());
  if (keys.begin >= keys.end) return total;
  const std::vector<float> queries = makeQueries(rows);
  // Shares begin at multiples of their length: a row's sum is the same, whatever rows it is asked for with.
  const std::int64_t first_share = keys.begin / share_keys, shares = (keys.end - 1) / share_keys + 1 - first_share;
  std::vector<RowSum> parts(static_cast<std::size_t>(shares) * rows.size());
  const bool finished = parallelBlocks(shares, 1, job, [&](std::int64_t share, std::int64_t) {
    const std::int64_t first = (first_share + share) * share_keys;
    addShare(rows, spans, queries.data(), {first, std::min(first + share_keys, shape().keys())}, job,
             parts.data() + share * std::ssize(rows));
  });
  if (!finished || job.stopped()) return {};
  for (std::size_t part = 0; part < parts.size(); ++part) total[part % rows.size()].add(parts[part]);
  return total;
}

/// Of the keys next to the query, which a bias may prefer.
RowSum ContentLogits::nearSum(std::int64_t row, const float* query) const {
  const Mask::Span span = mask().span(shape(), row);
  const std::int64_t p = row + shape().queryOffset(), dim = shape().head_dim;
  const std::int64_t first = std::max(span.begin, p - draft_near), end = std::min(span.end, p + draft_near + 1);
  if (first >= end) return {};
  thread_local std::vector<float> made, packed, logits;
  grow(made, (end - first) * dim);
  grow(packed, train::packedSize<float>(dim, end - first));
  grow(logits, end - first);
  makeKeys(first, end - first, made.data());
  train::kernels<float>().pack({made.data(), dim, true}, dim, end - first, packed.data());
  multiply(query, 1, packed.data(), end - first, logits.data());
  addBias(row, first, end - first, logits.data());
  return sumOf(allowedOf(row, first, end - first, logits.data()), logits.data());
}

std::vector<RowSum> ContentLogits::draft(std::span<const std::int64_t> rows) const {
  const std::int64_t count = std::ssize(draft_cols_), offset = shape().queryOffset();
  const double each = static_cast<double>(shape().keys()) / static_cast<double>(count);  // keys that one stands for
  const std::vector<float> queries = makeQueries(rows);
  std::vector<RowSum> total(rows.size());
  parallelBlocks(std::ssize(rows), 16, Job(), [&](std::int64_t begin, std::int64_t end) {
    thread_local std::vector<float> logits;
    grow(logits, 16 * draft_keys);
    multiply(queries.data() + begin * shape().head_dim, end - begin, draft_packed_.data(), count, logits.data());
    for (std::int64_t r = begin; r < end; ++r) {
      const std::int64_t row = rows[static_cast<std::size_t>(r)], p = row + offset;
      const Mask::Span span = mask().span(shape(), row);
      float* line = logits.data() + (r - begin) * count;
      std::int64_t seen = 0;
      for (std::int64_t k = 0; k < count; ++k) {
        const std::int64_t col = draft_cols_[static_cast<std::size_t>(k)];
        if (col < span.begin || col >= span.end || std::abs(p - col) <= draft_near) continue;
        if (mask().hasHoles() && !mask().allows(shape(), row, col)) continue;
        line[seen] = line[k];
        addBias(row, col, 1, line + seen++);
      }
      RowSum far = sumOf(seen, line);
      far.sum *= each;
      total[static_cast<std::size_t>(r)] = nearSum(row, queries.data() + r * shape().head_dim);
      total[static_cast<std::size_t>(r)].add(far);
    }
  });
  return total;
}

void ContentLogits::fill(std::span<const std::int64_t> rows, std::span<const std::int64_t> cols, float* out) const {
  const std::int64_t dim = shape().head_dim, width = std::ssize(cols), offset = shape().queryOffset();
  const std::vector<float> queries = makeQueries(rows);
  const std::vector<float> keys = makeKeys(cols);
  std::vector<float> packed(static_cast<std::size_t>(train::packedSize<float>(dim, width)));
  train::kernels<float>().pack({keys.data(), dim, true}, dim, width, packed.data());
  parallelBlocks(std::ssize(rows), 16, Job(), [&](std::int64_t begin, std::int64_t end) {
    multiply(queries.data() + begin * dim, end - begin, packed.data(), width, out + begin * width);
    if (bias_.empty()) return;
    for (std::int64_t r = begin; r < end; ++r) {
      const float* diagonal = bias_.data() + (shape().keys() - 1 - rows[static_cast<std::size_t>(r)] - offset);
      for (std::int64_t c = 0; c < width; ++c) out[r * width + c] += diagonal[cols[static_cast<std::size_t>(c)]];
    }
  });
}

}  // namespace

void RowSum::add(const RowSum& other) {
  if (other.sum == 0) return;
  if (other.top > top) {
    sum = sum == 0 ? 0 : sum * std::exp(top - other.top);
    top = other.top;
  }
  sum += other.sum * std::exp(other.top - top);
}

std::unique_ptr<const StreamedLogits> contentLogits(StreamedHead head, const Shape& shape, Mask mask) {
  return std::make_unique<ContentLogits>(std::move(head), shape, std::move(mask));
}

}  // namespace posiscope::attention

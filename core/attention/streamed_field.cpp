// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/streamed_field.h"

#include "core/field_share.h"
#include "core/parallel.h"
#include "core/train/kernels/kernels.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <utility>

namespace posiscope::attention {
namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
/// Rows whose sums are kept: hundreds of windows, a few MB.
constexpr std::size_t most_kept = 1 << 16;
/// Cells made at once while a window is sampled, 16 MB.
constexpr std::int64_t most_cells = 1 << 22;

void tidy(std::vector<std::int64_t>& indices) {
  std::ranges::sort(indices);
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
}

/// The row of each share that is looked at.
std::vector<std::int64_t> rowsOf(const std::vector<Share>& shares) {
  std::vector<std::int64_t> rows;
  for (const Share& share : shares)
    if (share.centre >= 0) rows.push_back(share.centre);
  tidy(rows);
  return rows;
}

/// Key number `n` of the `taken` ones of a share.
std::int64_t keyOf(const Share& share, std::int64_t taken, std::int64_t n) {
  const std::int64_t cells = share.end - share.begin;
  return share.begin + (taken == 1 ? cells / 2 : n * (cells - 1) / (taken - 1));
}

/// The keys that a sample looks at.
std::vector<std::int64_t> keysOf(const Share& share, Reduction reduction) {
  if (reduction == Reduction::nearest)
    return share.centre < 0 ? std::vector<std::int64_t>{} : std::vector<std::int64_t>{share.centre};
  std::vector<std::int64_t> keys;
  const std::int64_t taken = std::min(share.end - share.begin, StreamedField::most_keys);
  for (std::int64_t n = 0; n < taken; ++n) keys.push_back(keyOf(share, taken, n));
  return keys;
}

/// One sample of a line of cells, from the places of its keys there.
float reduced(std::span<const std::size_t> places, const float* line, Reduction reduction) {
  if (places.empty()) return nan_value;
  float low = line[places.front()], high = low;
  double sum = 0;
  for (const std::size_t place : places) {
    low = std::min(low, line[place]);
    high = std::max(high, line[place]);
    sum += static_cast<double>(line[place]);
  }
  if (reduction == Reduction::maximum) return high;
  if (reduction == Reduction::minimum || places.size() == 1) return low;
  return static_cast<float>(sum / static_cast<double>(places.size()));
}

std::atomic<double>& storedSetting() {
  static std::atomic<double> bytes{64.0 * 1024 * 1024};
  return bytes;
}

}  // namespace

double storedWeightsLimit() { return storedSetting().load(); }
void setStoredWeightsLimit(double bytes) { storedSetting().store(bytes); }

StreamedField::StreamedField(std::unique_ptr<const StreamedLogits> logits, Quantity quantity)
    : logits_(std::move(logits)), quantity_(quantity) {}

std::vector<std::int64_t> StreamedField::unknown(std::vector<std::int64_t> rows) const {
  const std::lock_guard lock(mutex_);
  std::erase_if(rows, [&](std::int64_t row) { return known_.contains(row); });
  return rows;
}

void StreamedField::keep(Sums& sums, std::span<const std::int64_t> rows, const std::vector<RowSum>& found) const {
  const std::lock_guard lock(mutex_);
  if (sums.size() + rows.size() > most_kept) sums.clear();
  for (std::size_t r = 0; r < rows.size(); ++r) sums[rows[r]] = found[r];
  if (&sums == &known_) streamed_ += std::ssize(rows);
}

bool StreamedField::sumUp(const std::vector<std::int64_t>& rows, const Job& job) const {
  if (rows.empty()) return true;
  const std::vector<RowSum> found = logits_->sums(rows, job);
  if (found.size() != rows.size()) return false;
  keep(known_, rows, found);
  return true;
}

std::vector<RowSum> StreamedField::sumsNow(std::span<const std::int64_t> rows) const {
  std::vector<std::int64_t> missing = unknown({rows.begin(), rows.end()});
  if (logits_->isQuick()) {
    sumUp(missing, Job());
  } else {
    {
      const std::lock_guard lock(mutex_);
      std::erase_if(missing, [&](std::int64_t row) { return drafts_.contains(row); });
    }
    if (!missing.empty()) keep(drafts_, missing, logits_->draft(missing));
  }
  const std::lock_guard lock(mutex_);
  std::vector<RowSum> found;
  for (const std::int64_t row : rows) {
    const auto known = known_.find(row);
    found.push_back(known != known_.end() ? known->second : drafts_[row]);
  }
  return found;
}

/// Logits of a row become weights.
void StreamedField::weigh(std::int64_t row, std::span<const std::int64_t> cols, const RowSum& sum,
                          float* logits) const {
  const Mask& mask = logits_->mask();
  const Mask::Span span = mask.span(logits_->shape(), row);
  const auto count = std::ssize(cols);
  if (sum.sum == 0) {
    std::fill_n(logits, count, 0.0F);
    return;
  }
  train::kernels<float>().exponentials(count, static_cast<float>(sum.top), logits);
  const double scale = 1 / sum.sum;
  for (std::int64_t c = 0; c < count; ++c) {
    const std::int64_t col = cols[static_cast<std::size_t>(c)];
    const bool allowed =
        col >= span.begin && col < span.end && (!mask.hasHoles() || mask.allows(logits_->shape(), row, col));
    logits[c] = allowed ? static_cast<float>(static_cast<double>(logits[c]) * scale) : 0.0F;
  }
}

std::vector<float> StreamedField::cells(std::span<const std::int64_t> rows, std::span<const std::int64_t> cols) const {
  std::vector<float> values(rows.size() * cols.size());
  logits_->fill(rows, cols, values.data());
  if (!needsSums()) return values;
  const std::vector<RowSum> sums = sumsNow(rows);
  parallelBlocks(std::ssize(rows), 16, Job(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r)
      weigh(rows[static_cast<std::size_t>(r)], cols, sums[static_cast<std::size_t>(r)],
            values.data() + r * std::ssize(cols));
  });
  return values;
}

float StreamedField::at(std::int64_t row, std::int64_t col) const {
  assert(row >= 0 && row < rows() && col >= 0 && col < cols());
  if (needsSums()) sumUp(unknown({row}), Job());
  return now(row, col);
}

float StreamedField::now(std::int64_t row, std::int64_t col) const { return cells({&row, 1}, {&col, 1}).front(); }

void StreamedField::sample(const FieldWindow& window, std::int64_t height, std::int64_t width, Reduction reduction,
                           std::span<float> out) const {
  assert(std::ssize(out) >= height * width);
  const std::vector<Share> ys = shares(window.row, window.rows, height, this->rows());
  const std::vector<Share> xs = shares(window.col, window.cols, width, this->cols());
  std::fill_n(out.begin(), height * width, nan_value);
  std::vector<std::vector<std::int64_t>> keys;
  std::vector<std::int64_t> cols;
  for (const Share& x : xs) {
    keys.push_back(keysOf(x, reduction));
    cols.insert(cols.end(), keys.back().begin(), keys.back().end());
  }
  tidy(cols);
  const std::vector<std::int64_t> rows = rowsOf(ys);
  if (rows.empty() || cols.empty()) return;
  std::vector<std::vector<std::size_t>> places;
  for (const std::vector<std::int64_t>& of_sample : keys) {
    places.emplace_back();
    for (const std::int64_t key : of_sample)
      places.back().push_back(static_cast<std::size_t>(std::ranges::lower_bound(cols, key) - cols.begin()));
  }
  const auto together = static_cast<std::size_t>(std::max<std::int64_t>(16, most_cells / std::ssize(cols)));
  std::size_t y = 0;
  for (std::size_t first = 0; first < rows.size(); first += together) {
    const std::span<const std::int64_t> part(rows.data() + first, std::min(together, rows.size() - first));
    const std::vector<float> values = cells(part, cols);
    for (; y < ys.size() && (ys[y].centre < 0 || ys[y].centre <= part.back()); ++y) {
      if (ys[y].centre < 0) continue;
      const auto at = static_cast<std::size_t>(std::ranges::lower_bound(part, ys[y].centre) - part.begin());
      for (std::size_t x = 0; x < xs.size(); ++x)
        out[y * xs.size() + x] = reduced(places[x], values.data() + at * cols.size(), reduction);
    }
  }
}

/// Of a sample: the lines of a small picture of everything, and the own key of each of its queries.
Field::Limits StreamedField::limits() const {
  std::call_once(searched_, [this] {
    constexpr std::int64_t lines = 64;
    const FieldWindow whole{0, 0, static_cast<double>(rows()), static_cast<double>(cols())};
    std::vector<float> values(lines * lines);
    sample(whole, lines, lines, Reduction::nearest, values);
    const std::int64_t offset = logits_->shape().queryOffset();
    for (const std::int64_t row : rowsOf(shares(0, whole.rows, lines, rows())))
      values.push_back(now(row, row + offset));
    std::erase_if(values, [](float v) { return !(v - v == 0); });
    if (values.empty()) return;
    const auto [low, high] = std::ranges::minmax(values);
    limits_ = {low, high, false};
  });
  return limits_;
}

bool StreamedField::isFinal(const FieldWindow& window, std::int64_t height) const {
  if (!needsSums() || logits_->isQuick()) return true;
  return unknown(rowsOf(shares(window.row, window.rows, height, rows()))).empty();
}

bool StreamedField::refine(const FieldWindow& window, std::int64_t height, const Job& job) const {
  if (!needsSums()) return true;
  return sumUp(unknown(rowsOf(shares(window.row, window.rows, height, rows()))), job);
}

bool StreamedField::isKnown(std::int64_t row) const {
  return !needsSums() || logits_->isQuick() || unknown({row}).empty();
}

std::int64_t StreamedField::streamedRows() const {
  const std::lock_guard lock(mutex_);
  return streamed_;
}

}  // namespace posiscope::attention

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field.h"

#include "core/buffers.h"
#include "core/field_share.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

namespace posiscope {
namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

/// Collects the cells of one sample; NaN cells do not count.
class Gather {
 public:
  explicit Gather(Reduction reduction) : reduction_(reduction) {}

  void add(float value) {
    if (std::isnan(value)) return;
    sum_ += value;
    low_ = count_ == 0 ? value : std::min(low_, value);
    high_ = count_ == 0 ? value : std::max(high_, value);
    ++count_;
  }
  float result() const {
    if (count_ == 0) return nan_value;
    switch (reduction_) {
      case Reduction::maximum: return high_;
      case Reduction::minimum: return low_;
      default: return count_ == 1 ? low_ : static_cast<float>(sum_ / static_cast<double>(count_));
    }
  }

 private:
  Reduction reduction_;
  double sum_ = 0;
  float low_ = 0;
  float high_ = 0;
  std::int64_t count_ = 0;
};

void fillNearest(const Field& field, const std::vector<Share>& ys, const std::vector<Share>& xs, std::span<float> out) {
  std::size_t at = 0;
  for (const Share& y : ys)
    for (const Share& x : xs) out[at++] = y.centre < 0 || x.centre < 0 ? nan_value : field.at(y.centre, x.centre);
}

/// At most `most` cells of a share, evenly spread, both ends included.
std::int64_t pick(const Share& share, std::int64_t taken, std::int64_t index) {
  const std::int64_t cells = share.end - share.begin;
  return share.begin + (taken == 1 ? cells / 2 : index * (cells - 1) / (taken - 1));
}

/// Smallest and largest of the finite values shown to it.
class LimitSearch {
 public:
  void add(float value) { put(value, 0); }
  /// Lanes of their own, so that the compiler may use vector instructions.
  void addAll(std::span<const float> values) {
    std::size_t c = 0;
    for (; c + lanes <= values.size(); c += lanes)
      for (std::size_t k = 0; k < lanes; ++k) put(values[c + k], k);
    for (; c < values.size(); ++c) put(values[c], 0);
  }
  Field::Limits result(bool exact) const {
    const float low = *std::ranges::min_element(low_);
    const float high = *std::ranges::max_element(high_);
    if (low > high) return {0, 0, exact};
    return {low, high, exact};
  }

 private:
  static constexpr std::size_t lanes = 16;
  void put(float value, std::size_t lane) {
    const bool finite = value - value == 0;
    low_[lane] = finite && value < low_[lane] ? value : low_[lane];
    high_[lane] = finite && value > high_[lane] ? value : high_[lane];
  }
  static std::array<float, lanes> filled(float value) {
    std::array<float, lanes> all;
    all.fill(value);
    return all;
  }
  std::array<float, lanes> low_ = filled(std::numeric_limits<float>::infinity());
  std::array<float, lanes> high_ = filled(-std::numeric_limits<float>::infinity());
};

class StoredField final : public Field {
 public:
  StoredField(std::int64_t rows, std::int64_t cols, std::shared_ptr<const void> owner, const float* values)
      : rows_(rows), cols_(cols), owner_(std::move(owner)), values_(values) {}

  std::int64_t rows() const override { return rows_; }
  std::int64_t cols() const override { return cols_; }
  float at(std::int64_t row, std::int64_t col) const override { return values_[row * cols_ + col]; }
  const float* stored() const override { return values_; }
  void sample(const FieldWindow& window, std::int64_t height, std::int64_t width, Reduction reduction,
              std::span<float> out) const override;
  Limits limits() const override {
    std::call_once(searched_, [this] {
      LimitSearch search;
      search.addAll({values_, static_cast<std::size_t>(rows_ * cols_)});
      limits_ = search.result(true);
    });
    return limits_;
  }

 private:
  void collapseRows(const Share& y, std::int64_t begin, std::int64_t end, Reduction reduction,
                    std::vector<double>& line, std::vector<float>& counts) const;

  std::int64_t rows_;
  std::int64_t cols_;
  std::shared_ptr<const void> owner_;
  const float* values_;
  mutable std::once_flag searched_;
  mutable Limits limits_{0, 0, true};
};

/// Reduces the rows of one share to one line (its sum, maximum or minimum) and the number of cells that counted:
/// straight passes over memory, which the compiler turns into vector instructions.
void StoredField::collapseRows(const Share& y, std::int64_t begin, std::int64_t end, Reduction reduction,
                               std::vector<double>& line, std::vector<float>& counts) const {
  const auto width = static_cast<std::size_t>(end - begin);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double start = reduction == Reduction::maximum ? -infinity : reduction == Reduction::minimum ? infinity : 0.0;
  std::fill_n(line.begin(), width, start);
  std::fill_n(counts.begin(), width, 0.0F);
  for (std::int64_t r = y.begin; r < y.end; ++r) {
    const float* row = values_ + r * cols_ + begin;
    for (std::size_t c = 0; c < width; ++c) counts[c] += row[c] == row[c] ? 1.0F : 0.0F;
    switch (reduction) {
      case Reduction::maximum:
        for (std::size_t c = 0; c < width; ++c) line[c] = row[c] > line[c] ? row[c] : line[c];
        break;
      case Reduction::minimum:
        for (std::size_t c = 0; c < width; ++c) line[c] = row[c] < line[c] ? row[c] : line[c];
        break;
      default:
        for (std::size_t c = 0; c < width; ++c) line[c] += row[c] == row[c] ? row[c] : 0.0F;
        break;
    }
  }
}

void StoredField::sample(const FieldWindow& window, std::int64_t height, std::int64_t width, Reduction reduction,
                         std::span<float> out) const {
  assert(static_cast<std::int64_t>(out.size()) >= height * width);
  const std::vector<Share> ys = shares(window.row, window.rows, height, rows_);
  const std::vector<Share> xs = shares(window.col, window.cols, width, cols_);
  if (reduction == Reduction::nearest) return fillNearest(*this, ys, xs, out);
  std::int64_t begin = cols_;
  std::int64_t end = 0;
  for (const Share& x : xs)
    if (x.begin < x.end) {
      begin = std::min(begin, x.begin);
      end = std::max(end, x.end);
    }
  std::vector<double> line(static_cast<std::size_t>(std::max<std::int64_t>(0, end - begin)));
  std::vector<float> counts(line.size());
  std::size_t at = 0;
  for (const Share& y : ys) {
    if (y.begin < y.end && begin < end) collapseRows(y, begin, end, reduction, line, counts);
    for (const Share& x : xs) {
      double value = 0;
      double count = 0;
      if (y.begin < y.end)
        for (std::int64_t c = x.begin; c < x.end; ++c) {
          const auto k = static_cast<std::size_t>(c - begin);
          if (counts[k] == 0) continue;
          const bool first = count == 0;
          if (reduction == Reduction::mean)
            value += line[k];
          else if (reduction == Reduction::maximum)
            value = first ? line[k] : std::max(value, line[k]);
          else
            value = first ? line[k] : std::min(value, line[k]);
          count += counts[k];
        }
      out[at++] = count == 0 ? nan_value : static_cast<float>(reduction == Reduction::mean ? value / count : value);
    }
  }
}

class ComputedField final : public Field {
 public:
  ComputedField(std::int64_t rows, std::int64_t cols, std::function<float(std::int64_t, std::int64_t)> value,
                std::optional<Limits> limits)
      : rows_(rows), cols_(cols), value_(std::move(value)), given_(limits) {}

  std::int64_t rows() const override { return rows_; }
  std::int64_t cols() const override { return cols_; }
  float at(std::int64_t row, std::int64_t col) const override { return value_(row, col); }
  Limits limits() const override {
    if (given_) return *given_;
    std::call_once(searched_, [this] { limits_ = Field::limits(); });
    return limits_;
  }

 private:
  std::int64_t rows_;
  std::int64_t cols_;
  std::function<float(std::int64_t, std::int64_t)> value_;
  std::optional<Limits> given_;
  mutable std::once_flag searched_;
  mutable Limits limits_{0, 0, false};
};

}  // namespace

void Field::sample(const FieldWindow& window, std::int64_t height, std::int64_t width, Reduction reduction,
                   std::span<float> out) const {
  assert(static_cast<std::int64_t>(out.size()) >= height * width);
  const std::vector<Share> ys = shares(window.row, window.rows, height, rows());
  const std::vector<Share> xs = shares(window.col, window.cols, width, cols());
  if (reduction == Reduction::nearest) return fillNearest(*this, ys, xs, out);
  // Each cell costs a formula: four of them must stand for all, along the longer side when the other has one cell.
  constexpr std::int64_t most = 4;
  std::size_t at_sample = 0;
  for (const Share& y : ys)
    for (const Share& x : xs) {
      const std::int64_t high = y.end - y.begin;
      const std::int64_t wide = x.end - x.begin;
      const std::int64_t down = std::min(high, wide <= 1 ? most : most / 2);
      const std::int64_t across = std::min(wide, down <= 1 ? most : most / 2);
      Gather gather(reduction);
      for (std::int64_t r = 0; r < down; ++r)
        for (std::int64_t c = 0; c < across; ++c) gather.add(at(pick(y, down, r), pick(x, across, c)));
      out[at_sample++] = gather.result();
    }
}

Field::Limits Field::limits() const {
  // A bounded look: 64 lines each way, first and last included, and the diagonals, where offset 0 sits.
  constexpr std::int64_t lines = 64;
  const auto nth = [](std::int64_t cells, std::int64_t taken, std::int64_t index) {
    return taken == 1 ? 0 : index * (cells - 1) / (taken - 1);
  };
  const std::int64_t down = std::min(rows(), lines);
  const std::int64_t across = std::min(cols(), lines);
  LimitSearch search;
  for (std::int64_t r = 0; r < down; ++r)
    for (std::int64_t c = 0; c < across; ++c) search.add(at(nth(rows(), down, r), nth(cols(), across, c)));
  const std::int64_t corner = std::min({rows(), cols(), lines});
  for (std::int64_t k = 0; k < corner; ++k) {
    search.add(at(k, k));
    search.add(at(k, 0));
    search.add(at(0, k));
    search.add(at(rows() - 1 - k, cols() - 1 - k));
  }
  return search.result(rows() <= lines && cols() <= lines);
}

std::shared_ptr<const Field> storedField(std::int64_t rows, std::int64_t cols, std::shared_ptr<const void> owner,
                                         const float* values) {
  return std::make_shared<StoredField>(rows, cols, std::move(owner), values);
}

std::shared_ptr<const Field> storedField(std::int64_t rows, std::int64_t cols, std::vector<float> values) {
  assert(static_cast<std::int64_t>(values.size()) == rows * cols);
  const std::shared_ptr<const std::vector<float>> owner = lendBuffer(std::move(values));
  const float* data = owner->data();
  return storedField(rows, cols, owner, data);
}

std::shared_ptr<const Field> computedField(std::int64_t rows, std::int64_t cols,
                                           std::function<float(std::int64_t, std::int64_t)> value,
                                           std::optional<Field::Limits> limits) {
  return std::make_shared<ComputedField>(rows, cols, std::move(value), limits);
}

}  // namespace posiscope

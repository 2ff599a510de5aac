// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/slow_field.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

namespace posiscope {
namespace {

class SlowDifference final : public SlowField {
 public:
  SlowDifference(std::shared_ptr<const Field> a, std::shared_ptr<const Field> b) : a_(std::move(a)), b_(std::move(b)) {}

  std::int64_t rows() const override { return std::max(a_->rows(), b_->rows()); }
  std::int64_t cols() const override { return std::max(a_->cols(), b_->cols()); }
  float at(std::int64_t row, std::int64_t col) const override {
    return inBoth(row, col) ? a_->at(row, col) - b_->at(row, col) : std::numeric_limits<float>::quiet_NaN();
  }
  float now(std::int64_t row, std::int64_t col) const override {
    return inBoth(row, col) ? valueNow(*a_, row, col) - valueNow(*b_, row, col)
                            : std::numeric_limits<float>::quiet_NaN();
  }
  void sample(const FieldWindow& window, std::int64_t height, std::int64_t width, Reduction reduction,
              std::span<float> out) const override {
    const Reduction kind = reduction == Reduction::mean ? Reduction::mean : Reduction::nearest;
    std::vector<float> subtrahend(static_cast<std::size_t>(height * width));
    a_->sample(window, height, width, kind, out);
    b_->sample(window, height, width, kind, subtrahend);
    for (std::size_t s = 0; s < subtrahend.size(); ++s) out[s] -= subtrahend[s];
  }
  Limits limits() const override {
    std::call_once(searched_, [this] {
      constexpr std::int64_t lines = 64;
      std::vector<float> values(lines * lines);
      sample({0, 0, static_cast<double>(rows()), static_cast<double>(cols())}, lines, lines, Reduction::nearest,
             values);
      std::erase_if(values, [](float v) { return !(v - v == 0); });
      if (values.empty()) return;
      const auto [low, high] = std::ranges::minmax(values);
      limits_ = {low, high, false};
    });
    return limits_;
  }
  bool isFinal(const FieldWindow& window, std::int64_t height) const override {
    return std::ranges::all_of(slow(), [&](const SlowField* f) { return f->isFinal(window, height); });
  }
  bool refine(const FieldWindow& window, std::int64_t height, const Job& job) const override {
    return std::ranges::all_of(slow(), [&](const SlowField* f) { return f->refine(window, height, job); });
  }
  bool isKnown(std::int64_t row) const override { return posiscope::isKnown(*a_, row) && posiscope::isKnown(*b_, row); }

 private:
  bool inBoth(std::int64_t row, std::int64_t col) const {
    return row < std::min(a_->rows(), b_->rows()) && col < std::min(a_->cols(), b_->cols());
  }
  std::vector<const SlowField*> slow() const {
    std::vector<const SlowField*> found;
    for (const Field* field : {a_.get(), b_.get()})
      if (const SlowField* one = slowField(*field)) found.push_back(one);
    return found;
  }

  std::shared_ptr<const Field> a_, b_;
  mutable std::once_flag searched_;
  mutable Limits limits_{0, 0, false};
};

}  // namespace

const SlowField* slowField(const Field& field) { return dynamic_cast<const SlowField*>(&field); }

float valueNow(const Field& field, std::int64_t row, std::int64_t col) {
  const SlowField* slow = slowField(field);
  return slow ? slow->now(row, col) : field.at(row, col);
}

bool isKnown(const Field& field, std::int64_t row) {
  const SlowField* slow = slowField(field);
  return !slow || row >= slow->rows() || slow->isKnown(row);
}

std::vector<float> wholeRow(const Field& field, std::int64_t row) { return wholeRows(field, row, 1); }

std::vector<float> wholeRows(const Field& field, std::int64_t row, std::int64_t count) {
  const std::int64_t cols = field.cols();
  std::vector<float> cells(static_cast<std::size_t>(count * cols));
  if (const SlowField* slow = slowField(field)) {
    const FieldWindow lines{static_cast<double>(row), 0, static_cast<double>(count), static_cast<double>(cols)};
    slow->refine(lines, count, Job());
    slow->sample(lines, count, cols, Reduction::nearest, cells);
    return cells;
  }
  auto out = cells.begin();
  for (std::int64_t r = row; r < row + count; ++r)
    for (std::int64_t col = 0; col < cols; ++col) *out++ = field.at(r, col);
  return cells;
}

std::shared_ptr<const Field> slowDifference(std::shared_ptr<const Field> a, std::shared_ptr<const Field> b) {
  return std::make_shared<SlowDifference>(std::move(a), std::move(b));
}

}  // namespace posiscope

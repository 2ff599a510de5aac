// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kept_rows.h"

#include <array>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

namespace posiscope {
namespace {

struct Kept {
  std::uint64_t matrix = 0;  // 0: empty
  std::int64_t row = 0;
  std::uint64_t asked = 0;
  std::vector<float> values;
};

std::uint64_t nextNumber() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

class RowField final : public Field {
 public:
  RowField(std::int64_t rows, std::int64_t cols, KeptRows::Fill fill) : rows_(rows, cols, std::move(fill)) {}

  std::int64_t rows() const override { return rows_.rows(); }
  std::int64_t cols() const override { return rows_.cols(); }
  float at(std::int64_t row, std::int64_t col) const override {
    return rows_.row(row)[static_cast<std::size_t>(col)];
  }
  Limits limits() const override {
    std::call_once(searched_, [this] { limits_ = Field::limits(); });
    return limits_;
  }

 private:
  KeptRows rows_;
  mutable std::once_flag searched_;
  mutable Limits limits_{0, 0, false};
};

}  // namespace

KeptRows::KeptRows(std::int64_t rows, std::int64_t cols, Fill fill)
    : number_(nextNumber()), rows_(rows), cols_(cols), fill_(std::move(fill)) {}

std::span<const float> KeptRows::row(std::int64_t row) const {
  thread_local std::array<Kept, 4> kept;
  thread_local std::uint64_t now = 0;
  ++now;
  Kept* oldest = &kept.front();
  for (Kept& k : kept) {
    if (k.matrix == number_ && k.row == row) {
      k.asked = now;
      return k.values;
    }
    if (k.asked < oldest->asked) oldest = &k;
  }
  oldest->matrix = number_;
  oldest->row = row;
  oldest->asked = now;
  oldest->values.resize(static_cast<std::size_t>(cols_));
  fill_(row, oldest->values);
  return oldest->values;
}

std::shared_ptr<const Field> rowField(std::int64_t rows, std::int64_t cols, KeptRows::Fill fill) {
  return std::make_shared<RowField>(rows, cols, std::move(fill));
}

}  // namespace posiscope

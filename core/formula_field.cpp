// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula_field.h"

#include "core/slow_field.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace posiscope {
namespace {

/// Cells of a slow field that are made at once, 16 MB.
constexpr std::int64_t most_block_cells = 1 << 22;

class FormulaField final : public Field {
 public:
  explicit FormulaField(const FormulaRows& rows) : formula_(rows) {}

  std::int64_t rows() const override { return formula_.rows(); }
  std::int64_t cols() const override { return formula_.cols(); }
  float at(std::int64_t row, std::int64_t col) const override { return static_cast<float>(formula_.at(row, col)); }
  Limits limits() const override {
    std::call_once(searched_, [this] { limits_ = Field::limits(); });
    return limits_;
  }
  const FormulaRows& formula() const { return formula_; }

 private:
  FormulaRows formula_;
  mutable std::once_flag searched_;
  mutable Limits limits_{0, 0, false};
};

}  // namespace

std::shared_ptr<const Field> formulaField(const FormulaRows& rows) { return std::make_shared<FormulaField>(rows); }

const FormulaRows* formulaRowsOf(const Field& field) {
  const auto* found = dynamic_cast<const FormulaField*>(&field);
  return found ? &found->formula() : nullptr;
}

std::vector<float> RowReader::rowOfBlock(const Field& field, std::int64_t row) {
  const std::int64_t cols = field.cols();
  Block& block = blocks_[&field];
  const auto last = block.first + std::ssize(block.cells) / cols;
  if (block.cells.empty() || row < block.first || row >= last) {
    const std::int64_t count = std::clamp<std::int64_t>(most_block_cells / cols, 1, field.rows() - row);
    block.first = row;
    block.cells = wholeRows(field, row, count);
  }
  const auto begin = block.cells.begin() + (row - block.first) * cols;
  std::vector<float> cells(begin, begin + cols);
  if (row + 1 == field.rows()) blocks_.erase(&field);
  return cells;
}

Expected<std::vector<float>> RowReader::row(const Field& field, std::int64_t row) {
  const FormulaRows* formula = formulaRowsOf(field);
  if (!formula) return slowField(field) ? rowOfBlock(field, row) : wholeRow(field, row);
  if (spent_ > longest_) return fail(formula->tooLong());
  const auto start = std::chrono::steady_clock::now();
  std::vector<float> cells = wholeRow(field, row);
  spent_ += std::chrono::steady_clock::now() - start;
  const auto bad = std::ranges::find_if(cells, [](float v) { return std::isnan(v); });
  if (bad != cells.end()) return fail(formula->notFinite(row, bad - cells.begin()));
  return cells;
}

}  // namespace posiscope

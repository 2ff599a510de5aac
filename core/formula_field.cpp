// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula_field.h"

#include "core/slow_field.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace posiscope {
namespace {

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

Expected<std::vector<float>> RowReader::row(const Field& field, std::int64_t row) {
  const FormulaRows* formula = formulaRowsOf(field);
  if (!formula) return wholeRow(field, row);
  if (spent_ > longest_) return fail(formula->tooLong());
  const auto start = std::chrono::steady_clock::now();
  std::vector<float> cells = wholeRow(field, row);
  spent_ += std::chrono::steady_clock::now() - start;
  const auto bad = std::ranges::find_if(cells, [](float v) { return std::isnan(v); });
  if (bad != cells.end()) return fail(formula->notFinite(row, bad - cells.begin()));
  return cells;
}

}  // namespace posiscope

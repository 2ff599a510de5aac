// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/error.h"
#include "core/formula.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace posiscope {

/// A table of a formula that is too large to be stored: its cells are computed when they are asked for. Safe from
/// several threads; copies share what they keep. A formula has no other way to say that it fails there, so a cell
/// without a finite value is NaN, and whoever asked for an answer asks for the `failure` afterwards.
class FormulaRows {
 public:
  /// Gives the variables of a cell; pure.
  using Point = std::function<void(std::int64_t row, std::int64_t col, std::span<double> variables)>;

  /// `formula` has passed checkFormula; `owner` ("own") starts the sentences.
  FormulaRows(std::string owner, Formula formula, std::int64_t rows, std::int64_t cols, Point point);

  /// Fills a whole row: what InputPart::fill_row wants.
  template <class T>
  void operator()(std::int64_t row, std::span<T> out) const;
  double at(std::int64_t row, std::int64_t col) const;
  std::int64_t rows() const;
  std::int64_t cols() const;

  /// Can so many cells be computed in the time of one formula? Error: too_large.
  Outcome checkAffordable(std::int64_t cells) const;

  /// A question begins: from now on there is the time of one formula. Later rows are NaN, and quickly so.
  void begin() const;
  /// It has ended: what is drawn has no such limit, because it asks for no more than there are pixels.
  void end() const;
  /// What went wrong since `begin`: too_large when the time was over, not_defined naming the first cell, of those
  /// looked at, whose value is not finite. The first and the last rows and some between are looked at by `begin`.
  Outcome failure() const;
  /// That this cell, which is not finite, has no value.
  Error notFinite(std::int64_t row, std::int64_t col) const;
  /// That all of it takes too long.
  Error tooLong() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// The formula behind a table that is not stored; null when it is stored or made by something else.
template <class T>
const FormulaRows* formulaRowsOf(const InputPart<T>& input) {
  return input.fill_row.template target<FormulaRows>();
}

/// Can so many rows of an added table be read? Those of a typed formula that are not stored may take minutes, which
/// nobody learns by waiting: whoever reads all of a table asks before it starts. Error: too_large.
template <class T>
Outcome checkAffordable(const InputPart<T>& input, std::int64_t rows) {
  const FormulaRows* formula = formulaRowsOf(input);
  return formula ? formula->checkAffordable(rows * input.tableCols()) : Outcome{};
}

}  // namespace posiscope

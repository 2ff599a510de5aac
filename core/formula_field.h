// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/field.h"
#include "core/formula_rows.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace posiscope {

/// The table of a typed formula as a picture, whose cells are computed when they are asked for: a picture asks for no
/// more of them than there are pixels, whatever the size of the table.
std::shared_ptr<const Field> formulaField(const FormulaRows& rows);

/// The formula behind such a picture; null for every other field.
const FormulaRows* formulaRowsOf(const Field& field);

/// Reads fields row by row, to write them out. Of a slow field many rows are made at once, with the keys that they
/// share, and kept until the last of them was read; so the fields must outlive the reader. A typed formula among them
/// has, for all of its rows together, the time of one formula.
class RowReader {
 public:
  explicit RowReader(std::chrono::steady_clock::duration longest = Formula::longest_time) : longest_(longest) {}

  /// All cells of a row. Errors, of a formula alone: too_large when its time is over; not_defined naming the first cell
  /// of the row that has no finite value.
  Expected<std::vector<float>> row(const Field& field, std::int64_t row);

 private:
  struct Block {
    std::int64_t first = 0;
    std::vector<float> cells;  ///< whole rows from `first` on
  };
  std::vector<float> rowOfBlock(const Field& field, std::int64_t row);

  std::map<const Field*, Block> blocks_;
  std::chrono::steady_clock::duration longest_;
  std::chrono::steady_clock::duration spent_{};
};

}  // namespace posiscope

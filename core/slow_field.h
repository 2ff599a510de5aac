// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field.h"
#include "core/job.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace posiscope {

/// A field whose cells need long work that many of them share (a softmax over a million keys for each row). `at` does
/// it, for who can wait. `sample` never does: where the work is not done yet it draws a draft, soon. Whoever paints
/// asks `isFinal`, has another thread `refine`, and samples again. Safe to ask from several threads, like any field.
class SlowField : public Field {
 public:
  /// Is what `sample` gives for this window the whole truth?
  virtual bool isFinal(const FieldWindow& window, std::int64_t height) const = 0;
  /// Does the work that this window still needs; false when the job was stopped.
  virtual bool refine(const FieldWindow& window, std::int64_t height, const Job& job) const = 0;
  /// Is the row's work done, so that `at` answers at once?
  virtual bool isKnown(std::int64_t row) const = 0;
  /// A cell as far as it is known: that of `at` or of a draft. Quick.
  virtual float now(std::int64_t row, std::int64_t col) const = 0;
};

/// Null where the field is not slow.
const SlowField* slowField(const Field& field);
/// A cell for a picture, which must not wait.
float valueNow(const Field& field, std::int64_t row, std::int64_t col);
/// Does `at` answer at once?
bool isKnown(const Field& field, std::int64_t row);

/// All cells of a row, for who can wait; of a slow field at the cost of one of them.
std::vector<float> wholeRow(const Field& field, std::int64_t row);
/// The same of `count` rows from `row` on, [count, cols]: what they share is made once.
std::vector<float> wholeRows(const Field& field, std::int64_t row, std::int64_t count);

/// a − b of fields of which at least one is slow, NaN where only one has a cell. A sample is the difference of the
/// samples of both: for the mean and the nearest cell, which stands for the extremes too, that of the cells.
std::shared_ptr<const Field> slowDifference(std::shared_ptr<const Field> a, std::shared_ptr<const Field> b);

}  // namespace posiscope

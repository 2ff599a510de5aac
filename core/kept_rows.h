// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace posiscope {

/// Rows of a matrix that is not stored: each is made when it is asked for, and each thread keeps the last four it asked
/// for, which is what sampling a picture line by line needs. Safe from several threads.
class KeptRows {
 public:
  using Fill = std::function<void(std::int64_t row, std::span<float> out)>;

  /// `fill` must be pure.
  KeptRows(std::int64_t rows, std::int64_t cols, Fill fill);

  std::int64_t rows() const { return rows_; }
  std::int64_t cols() const { return cols_; }
  /// Valid until this thread has asked for four other rows, of any matrix.
  std::span<const float> row(std::int64_t row) const;

 private:
  std::uint64_t number_;  ///< tells matrices apart in a thread's memory, where an address may come again
  std::int64_t rows_;
  std::int64_t cols_;
  Fill fill_;
};

/// Such a matrix as a field: exact cells, samples like those of any field that is computed.
std::shared_ptr<const Field> rowField(std::int64_t rows, std::int64_t cols, KeptRows::Fill fill);

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/sinusoidal.h"
#include "core/wave_field.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace posiscope {

/// A sinusoidal table that is too large to be stored: its rows are made when they are asked for, to the numbers of a
/// stored one. Safe from several threads; copies share what they keep.
class SinusoidalRows {
 public:
  /// Rows at first_position, first_position + 1, …; [rows, d_model].
  SinusoidalRows(const SinusoidalParams& params, std::int64_t rows, std::int64_t d_model, double first_position);

  /// Fills a whole row: what InputPart::fill_row wants.
  template <class T>
  void operator()(std::int64_t row, std::span<T> out) const;

  /// Each column as a cosine, [d_model]; they are multiplied by `factor`.
  std::vector<Wave> waves() const;
  double factor() const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

/// The waves behind a table that is not stored; null when it is stored or made by something else.
template <class T>
const SinusoidalRows* sinusoidalRowsOf(const InputPart<T>& input) {
  return input.fill_row.template target<SinusoidalRows>();
}

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/wave_field.h"

#include <cstdint>
#include <span>
#include <vector>

namespace posiscope {

/// Many rows of a table of waves: one multiplication of complex numbers a cell, sixteen columns at a time, instead of
/// a cosine. Every `run`-th row starts afresh, from the product of two phases that are evaluated exactly, so that a
/// cell has the same bits in whichever window it is asked for; the error in the angle is at most 1e-13 besides the
/// roundoff of the angle itself, and every float is right to its last digit or one of its two neighbours.
class WaveRows {
 public:
  /// Column c is `factor` · amplitude · cos of waves[c], or sin.
  WaveRows(std::span<const Wave> waves, double factor);
  /// Rows first, first + 1, … into `out`, [rows, columns] one after another. first ≥ 0.
  void fill(std::int64_t first, std::int64_t rows, float* out) const;
  /// The same of any number of rows, in parallel.
  void fillAll(std::int64_t first, std::int64_t rows, float* out) const;

 private:
  static constexpr std::int64_t run = 512;     ///< rows from one start to the next
  static constexpr std::int64_t far_runs = 8;  ///< starts that share the phase of the first of them

  struct State;
  struct Group;
  std::vector<Group> groupsAt(std::int64_t far_row) const;
  /// The states of all groups at the start of a run, counted from the far row.
  void startRun(const std::vector<Group>& groups, std::int64_t number, std::vector<State>& states) const;

  std::int64_t columns_;
  std::vector<double> phase_, step_, height_;
  std::vector<bool> sine_;
  std::vector<double> step_cosine_, step_sine_;  ///< of one row
  std::vector<double> run_cosine_, run_sine_;    ///< of k · run rows, [far_runs, columns]
};

}  // namespace posiscope

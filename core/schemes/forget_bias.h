// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schemes/forget_gate.h"

namespace posiscope::schemes {

/// The bias that the gates of one head make, prepared once and then asked row by row. 0 where the form says nothing
/// (the future in the causal and the per-query form).
template <class T>
class ForgetBias {
 public:
  ForgetBias(const ForgetGateParams& params, const HeadContent<T>& head);

  /// Row of query i over all keys.
  void fill(std::int64_t i, std::span<T> row) const;
  /// The gates that row is the sum of the logarithms of: f_t of every token t, toward the past of query i and toward
  /// its future; 1 where the form has none.
  void fillGates(std::int64_t i, std::span<T> row) const;

 private:
  void fillPerRow(std::int64_t token, std::span<T> row) const;

  ForgetMode mode_;
  double scale_;  ///< on the logarithms
  std::int64_t offset_;
  std::vector<double> past_;       ///< F_t = Σ ln f up to and with t
  std::vector<double> future_;     ///< the same of the reverse gates
  Table<double> q_gate_, k_gate_;  ///< [tokens, gate_dim]
};

}  // namespace posiscope::schemes

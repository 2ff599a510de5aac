// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scheme.h"

#include <span>
#include <vector>

namespace posiscope::schemes {

enum class ForgetMode { causal, bidirectional, per_row };

struct ForgetGateParams {
  ForgetMode mode = ForgetMode::causal;
  double post_log_scale = 1;
  double gate_bias = 5;       ///< b where it is not given: gates start near 1
  std::int64_t gate_dim = 8;  ///< width of the gate's own queries and keys, per_row
  Array w, b;                 ///< (heads, d_model), (heads,)
  Array w_rev, b_rev;         ///< gates toward the future, bidirectional
  Array q_gate, k_gate;       ///< (heads, at least seq_len, gate_dim), per_row
  std::int64_t seed = 1;
};

/// ln σ(x_t·w + b) of each token, in double: thousands of them are added up.
template <class T>
std::vector<double> logForgetGates(Rows<T> x, std::span<const T> w, double b);

/// Data-dependent ALiBi (Lin et al. 2025): the tokens between key and query decide how much is forgotten.
Scheme forgetGate();

}  // namespace posiscope::schemes

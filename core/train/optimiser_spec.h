// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/param_table.h"

#include <cstdint>

namespace posiscope::train {

enum class OptimiserKind { adamw, sgd };

/// One learning rate and one schedule for every encoding of a comparison.
struct OptimiserSpec {
  OptimiserKind kind = OptimiserKind::adamw;
  double beta1 = 0.9;
  double beta2 = 0.98;
  double eps = 1e-8;
  double momentum = 0.9;
  double weight_decay = 0.01;
  double clip = 1;  ///< largest norm of all gradients together; 0 = no limit
  double lr = 2e-3;
  double lr_min = 2e-4;
  std::int64_t warmup = 0;  ///< steps; 0 = a twentieth of all

  bool operator==(const OptimiserSpec&) const = default;
};

/// The learning rate of step t = 1, 2, …: linear up to `lr` at `warmup`, then half a cosine down to `lr_min` at
/// `total`.
double learningRate(const OptimiserSpec& spec, std::int64_t total, std::int64_t t);

const ParamTable<OptimiserSpec>& optimiserTable();

}  // namespace posiscope::train

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query_factor.h"

#include <algorithm>
#include <cmath>

namespace posiscope {

double queryFactor(const QueryScalingParams& p, double position) {
  // Positions may start below zero; there a model has nothing to correct, and the logarithm no value.
  const double at = std::max(position, 0.0);
  switch (p.kind) {
    case QueryScaling::llama4: return 1 + p.attn_scale * std::log1p(std::floor((at + 1) / p.floor_scale));
    case QueryScaling::ministral3: return 1 + p.attn_scale * std::log1p(std::floor(at / p.floor_scale));
    case QueryScaling::logn: return std::max(1.0, std::log(at + 1) / std::log(p.train_length));
  }
  return 1;
}

std::vector<double> queryFactors(const QueryScalingParams& params, double first, std::int64_t count) {
  std::vector<double> factors(static_cast<std::size_t>(count));
  for (std::size_t t = 0; t < factors.size(); ++t) factors[t] = queryFactor(params, first + static_cast<double>(t));
  return factors;
}

}  // namespace posiscope

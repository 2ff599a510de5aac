// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rotary_heads.h"

#include <cmath>

namespace posiscope {
namespace {

double shareOf(std::int64_t head, std::int64_t heads) {
  return heads > 1 ? static_cast<double>(head) / static_cast<double>(heads - 1) : 0.0;
}

}  // namespace

std::vector<double> geometricBases(double base_min, double base_max, std::int64_t heads) {
  std::vector<double> bases;
  for (std::int64_t h = 0; h < heads; ++h) bases.push_back(base_min * std::pow(base_max / base_min, shareOf(h, heads)));
  return bases;
}

std::vector<double> linearFactors(double factor_min, double factor_max, std::int64_t heads) {
  std::vector<double> factors;
  for (std::int64_t h = 0; h < heads; ++h)
    factors.push_back(factor_min + (factor_max - factor_min) * shareOf(h, heads));
  return factors;
}

bool isGlobalLayer(std::int64_t layer, std::int64_t period, std::int64_t global_at) {
  return layer % period == global_at % period;
}

}  // namespace posiscope

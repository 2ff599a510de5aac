// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/length_figures.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace posiscope::attention {
namespace {

/// Where a threshold is met exactly (2·ln(1 + δ/2) is ln 100 at δ = 18), rounding must not decide.
constexpr double slack = 1e-9;

std::vector<double> softmax(std::span<const double> bias) {
  const double top = *std::ranges::max_element(bias);
  std::vector<double> weights(bias.size());
  double sum = 0;
  for (std::size_t d = 0; d < bias.size(); ++d) sum += weights[d] = std::exp(bias[d] - top);
  for (double& a : weights) a /= sum;
  return weights;
}

}  // namespace

LengthFigures lengthFigures(std::span<const double> bias, double share) {
  const std::vector<double> weights = softmax(bias);
  LengthFigures figures;
  double reached = 0;
  bool within = false;
  for (std::size_t d = 0; d < weights.size(); ++d) {
    const double a = weights[d];
    const auto distance = static_cast<double>(d);
    if (a > 0) figures.entropy -= a * std::log(a);
    figures.expected_distance += distance * a;
    reached += a;
    if (within) continue;
    figures.effective_range = distance;
    within = reached >= share - slack;
  }
  if (weights.size() > 1) figures.entropy_norm = figures.entropy / std::log(static_cast<double>(weights.size()));
  figures.perplexity = std::exp(figures.entropy);
  return figures;
}

std::int64_t attenuationDistance(std::span<const double> bias, double tau) {
  const auto fallen = std::ranges::find_if(bias, [&](double b) { return bias.front() - b >= tau - slack; });
  return fallen == bias.end() ? -1 : fallen - bias.begin();
}

}  // namespace posiscope::attention

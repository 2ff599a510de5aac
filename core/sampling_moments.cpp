// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sampling_moments.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace posiscope {
namespace {

/// P(|z| < x) of a standard normal.
double centralMass(double x) { return std::erf(x / std::numbers::sqrt2); }

double density(double x) { return std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi); }

}  // namespace

SampleMoments normalMoments(double deviation, double cut) {
  if (cut <= 0) return {0, deviation, centralMass(1), 0, 0};
  // By parts: E z² = 1 − 2cφ(c)/Z and E z⁴ = 3·E z² − 2c³φ(c)/Z, with Z = P(|z| < c).
  const double mass = centralMass(cut);
  const double edge = 2 * cut * density(cut) / mass;
  const double second = 1 - edge;
  const double fourth = 3 * second - edge * cut * cut;
  return {0, deviation * std::sqrt(second), centralMass(std::min(1.0, cut)) / mass, fourth / (second * second) - 3,
          cut * deviation};
}

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sampling.h"

#include "core/parallel.h"
#include "core/sampling_moments.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace posiscope {
namespace {

/// A start value within 4.5e-4 of Φ⁻¹ for u ≤ ½ (Abramowitz and Stegun 26.2.23).
double roughLowerQuantile(double u) {
  const double t = std::sqrt(-2.0 * std::log(u));
  const double numerator = 2.515517 + t * (0.802853 + t * 0.010328);
  const double denominator = 1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  return numerator / denominator - t;
}

/// Φ⁻¹ for 0 < u ≤ ½: two steps of Halley's method; each triples the number of right digits.
double lowerQuantile(double u) {
  double x = roughLowerQuantile(u);
  for (int step = 0; step < 2; ++step) {
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
    if (density == 0) break;
    const double newton = (normalCdf(x) - u) / density;
    x -= newton / (1.0 + 0.5 * x * newton);
  }
  return x;
}

}  // namespace

double normalCdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

double normalQuantile(double u) {
  if (!(u >= 0 && u <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (u == 0) return -std::numeric_limits<double>::infinity();
  if (u == 1) return std::numeric_limits<double>::infinity();
  // 1 − u is exact for u ≥ ½, so the upper half loses nothing.
  return u <= 0.5 ? lowerQuantile(u) : -lowerQuantile(1.0 - u);
}

double truncatedNormalQuantile(double u, double low, double high) {
  const double below = normalCdf(low);
  const double x = normalQuantile(below + u * (normalCdf(high) - below));
  return std::clamp(x, low, high);  // the ends exactly, whatever the rounding
}

double truncatedNormal(const Stream& stream, std::uint64_t e, double low, double high) {
  return truncatedNormalQuantile(stream.unit(e, 0), low, high);
}

double drawnDeviation(Draw draw, double std, double cut) {
  switch (draw) {
    case Draw::truncated_normal: return normalMoments(std, cut).deviation;
    case Draw::truncated_absolute: return std > 0 ? normalMoments(std, cut / std).deviation : 0;
    case Draw::normal:
    case Draw::truncated_rescaled: break;
  }
  return std;
}

std::vector<double> drawnTable(std::int64_t seed, Draw draw, double std, std::int64_t count, double cut) {
  const Stream stream(static_cast<std::uint64_t>(seed), "init/pe.table");
  std::vector<double> values(static_cast<std::size_t>(count));
  if (std == 0) return values;
  const double edge = draw == Draw::truncated_absolute ? cut / std : cut;
  const double stretch = draw == Draw::truncated_rescaled ? std / normalMoments(1, cut).deviation : std;
  parallelBlocks(count, 4096, Job{}, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t e = begin; e < end; ++e) {
      const auto example = static_cast<std::uint64_t>(e);
      const double x = draw == Draw::normal ? stream.normal(example) : truncatedNormal(stream, example, -edge, edge);
      values[static_cast<std::size_t>(e)] = stretch * x;
    }
  });
  return values;
}

}  // namespace posiscope

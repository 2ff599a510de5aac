// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/heads/lift_profile.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace posiscope::heads {
namespace {

/// Below this a profile is flat: what varies is rounding.
constexpr double flat = 1e-5;

struct Moments {
  double mean = 0;
  double variance = 0;
};

Moments momentsOf(std::span<const double> values) {
  if (values.empty()) return {};
  const auto count = static_cast<double>(values.size());
  Moments m;
  m.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  for (const double v : values) m.variance += (v - m.mean) * (v - m.mean) / count;
  return m;
}

/// Lags of the peaks of an autocorrelation that stand out.
std::vector<std::size_t> peaksOf(const std::vector<double>& r, std::size_t last, double prominence) {
  std::vector<std::size_t> peaks;
  double valley = r[1];
  for (std::size_t k = 2; k <= last; ++k) {
    if (r[k] >= r[k - 1] && r[k] > r[k + 1] && r[k] - valley >= prominence) peaks.push_back(k);
    valley = std::min(valley, r[k]);
  }
  return peaks;
}

}  // namespace

std::vector<double> autocorrelation(std::span<const double> profile) {
  const std::size_t length = profile.size();
  const Moments m = momentsOf(profile);
  std::vector<double> r(std::min(length, length / 2 + 2));
  if (m.variance == 0) return r;
  for (std::size_t k = 0; k < r.size(); ++k) {
    double sum = 0;
    for (std::size_t t = 0; t + k < length; ++t) sum += (profile[t] - m.mean) * (profile[t + k] - m.mean);
    r[k] = sum / static_cast<double>(length - k) / m.variance;
  }
  return r;
}

Periodicity periodicity(std::span<const double> profile, const Thresholds& thresholds) {
  const Moments m = momentsOf(profile);
  Periodicity result;
  result.cv = m.mean > 0 ? std::sqrt(m.variance) / m.mean : 0;
  if (result.cv < flat) return {};
  // A peak needs a lag on each side, and what comes back must have come twice.
  const std::size_t length = profile.size();
  if (length < 4 || static_cast<std::int64_t>(length) < thresholds.periodic_min_lags) return result;
  const std::vector<double> r = autocorrelation(profile);
  const std::vector<std::size_t> peaks = peaksOf(r, std::min(length / 2, r.size() - 2), thresholds.prominence);
  if (peaks.empty()) return result;
  const double largest = r[*std::ranges::max_element(peaks, {}, [&](std::size_t k) { return r[k]; })];
  if (largest <= 0) return result;
  result.score = std::min(1.0, largest);
  result.period =
      static_cast<std::int64_t>(*std::ranges::find_if(peaks, [&](std::size_t k) { return r[k] >= 0.9 * largest; }));
  return result;
}

}  // namespace posiscope::heads

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/value_scale.h"

#include "ui/paint/axes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace posiscope::ui {
namespace {

// Below this share of the largest value a logarithmic scale stops: five decades are as many as a colour bar can tell
// apart, and softmax weights reach 1e-40.
constexpr double smallest_share = 1e-5;
// A signed logarithm is linear below this share of the largest value.
constexpr double linear_share = 1e-3;

double signedLog(double value, double largest) {
  const double unit = largest * linear_share;
  return std::copysign(std::log1p(std::abs(value) / unit) / std::log1p(1 / linear_share), value);
}

void addDecades(std::vector<double>& ticks, double from, double to, double sign, int most) {
  const int first = static_cast<int>(std::ceil(std::log10(from)));
  const int last = static_cast<int>(std::floor(std::log10(to)));
  const int step = std::max(1, (last - first + most - 1) / std::max(1, most));
  for (int power = first; power <= last; power += step) ticks.push_back(sign * std::pow(10.0, power));
}

/// The first and the last, and round ones between them.
std::vector<double> wholeTicks(double first, double last, int most) {
  std::vector<double> ticks = indexTicks(first, last, most);
  if (ticks.front() > first) ticks.insert(ticks.begin(), first);
  if (ticks.back() < last) ticks.push_back(last);
  return ticks;
}

}  // namespace

double ValueScale::fraction(double value) const {
  switch (kind) {
    case Kind::linear: return (value - low) / (high - low);
    case Kind::logarithmic: return value > 0 ? std::log(value / low) / std::log(high / low) : -INFINITY;
    case Kind::signed_logarithmic: return 0.5 + 0.5 * signedLog(value, high);
  }
  return 0;
}

double ValueScale::value(double fraction) const {
  switch (kind) {
    case Kind::linear: return low + fraction * (high - low);
    case Kind::logarithmic: return low * std::pow(high / low, fraction);
    case Kind::signed_logarithmic: {
      const double signed_fraction = 2 * fraction - 1;
      const double size = std::expm1(std::abs(signed_fraction) * std::log1p(1 / linear_share)) * high * linear_share;
      return std::copysign(size, signed_fraction);
    }
  }
  return 0;
}

std::vector<double> ValueScale::ticks(int most) const {
  if (whole) return wholeTicks(low + 0.5, high - 0.5, most);
  std::vector<double> ticks{low};
  switch (kind) {
    case Kind::linear:
      for (const double tick : niceTicks(low, high, most)) ticks.push_back(tick);
      break;
    case Kind::logarithmic: addDecades(ticks, low, high, 1, most); break;
    case Kind::signed_logarithmic:
      addDecades(ticks, high * linear_share * 10, high, -1, most / 2);
      std::ranges::reverse(ticks.begin() + 1, ticks.end());
      ticks.push_back(0);
      addDecades(ticks, high * linear_share * 10, high, 1, most / 2);
      break;
  }
  ticks.push_back(high);
  const double near = (high - low) * 1e-9;
  const auto same = [near](double a, double b) { return std::abs(a - b) <= near; };
  ticks.erase(std::unique(ticks.begin(), ticks.end(), same), ticks.end());
  return ticks;
}

ValueScale automaticScale(MapKind kind, double minimum, double maximum, bool logarithmic) {
  using Kind = ValueScale::Kind;
  if (!std::isfinite(minimum) || !std::isfinite(maximum)) minimum = 0, maximum = 1;
  if (kind == MapKind::cyclic)
    return minimum < 0 ? ValueScale{Kind::linear, -std::numbers::pi, std::numbers::pi, false}
                       : ValueScale{Kind::linear, 0, 2 * std::numbers::pi, false};
  if (kind == MapKind::diverging) {
    const double largest = std::max(std::abs(minimum), std::abs(maximum));
    return {logarithmic ? Kind::signed_logarithmic : Kind::linear, largest > 0 ? -largest : -1,
            largest > 0 ? largest : 1, false};
  }
  if (logarithmic && maximum > 0)
    return {Kind::logarithmic, std::max(minimum, maximum * smallest_share) < maximum
                                   ? std::max(minimum, maximum * smallest_share)
                                   : maximum * smallest_share,
            maximum, false};
  if (minimum >= 0 && minimum < maximum / 2) minimum = 0;
  if (maximum <= minimum) {
    // A constant still gets a range, so that the bar has two numbers.
    if (minimum > 0) return {Kind::linear, 0, minimum, false};
    return {Kind::linear, minimum, minimum < 0 ? 0.0 : 1.0, false};
  }
  return {Kind::linear, minimum, maximum, false};
}

ValueScale wholeScale(std::int64_t count, std::int64_t first) {
  const double low = static_cast<double>(first) - 0.5;
  return {ValueScale::Kind::linear, low, low + static_cast<double>(std::max<std::int64_t>(1, count)), false, true};
}

void easeOutliers(ValueScale& scale, std::vector<float> sample) {
  constexpr double share = 0.995;
  constexpr double far = 3;  // times the percentile
  if (scale.kind != ValueScale::Kind::linear || scale.low != 0 || sample.empty()) return;
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(sample.size() - 1));
  std::ranges::nth_element(sample, sample.begin() + place);
  const double high = sample[static_cast<std::size_t>(place)];
  if (!(high > 0) || scale.high < far * high) return;
  scale.high = high;
  scale.open_above = true;
}

ValueScale typedScale(MapKind kind, double minimum, double maximum, bool logarithmic, const ValueScale& automatic,
                      double least, double largest) {
  if (!(minimum < maximum)) return automatic;
  ValueScale scale{ValueScale::Kind::linear, minimum, maximum, false};
  // Values are single precision: 0.1 of a map is a little more than the 0.1 that was typed.
  scale.open_above = static_cast<float>(largest) > static_cast<float>(maximum);
  scale.open_below = static_cast<float>(least) < static_cast<float>(minimum);
  if (logarithmic && kind == MapKind::sequential && minimum > 0) scale.kind = ValueScale::Kind::logarithmic;
  if (logarithmic && kind == MapKind::diverging && minimum == -maximum)
    scale.kind = ValueScale::Kind::signed_logarithmic;
  return scale;
}

}  // namespace posiscope::ui

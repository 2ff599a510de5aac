// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/samples.h"

#include <algorithm>
#include <cmath>

namespace posiscope::ui {

std::ptrdiff_t nearestSample(const Curve& curve, double x) {
  const std::size_t size = std::min(curve.x.size(), curve.y.size());
  if (size == 0 || std::isnan(x)) return -1;
  const auto begin = curve.x.begin(), end = begin + static_cast<std::ptrdiff_t>(size);
  const auto after = std::lower_bound(begin, end, x);
  if (after == begin) return 0;
  if (after == end) return static_cast<std::ptrdiff_t>(size) - 1;
  return after - begin - (x - *(after - 1) <= *after - x ? 1 : 0);
}

std::ptrdiff_t sampleAt(const Curve& curve, double x) {
  const std::ptrdiff_t at = nearestSample(curve, x);
  const auto last = static_cast<std::ptrdiff_t>(std::min(curve.x.size(), curve.y.size())) - 1;
  if (at < 0 || (at > 0 && at < last)) return at;
  const auto place = [&curve](std::ptrdiff_t sample) { return curve.x[static_cast<std::size_t>(sample)]; };
  const double step = last == 0 ? 1 : std::abs(place(at == 0 ? 1 : last - 1) - place(at));
  const double beyond = at == 0 ? place(at) - x : x - place(at);
  // One sample alone has two sides.
  return (last == 0 ? std::abs(beyond) : beyond) > step / 2 ? -1 : at;
}

}  // namespace posiscope::ui

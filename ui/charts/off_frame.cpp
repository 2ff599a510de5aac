// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/off_frame.h"

#include <algorithm>
#include <cmath>

namespace posiscope::ui {
namespace {

/// Does a tenth of the curve or more, in one piece, have this value?
bool staysAt(const Curve& curve, double value) {
  const std::size_t least = std::max<std::size_t>(2, curve.y.size() / 10);
  std::size_t run = 0;
  for (const double y : curve.y) {
    run = std::abs(y - value) <= 1e-9 * std::abs(value) ? run + 1 : 0;
    if (run >= least) return true;
  }
  return false;
}

}  // namespace

Scale offTheFrame(const Scale& scale, const std::vector<PlotSeries>& series, bool right) {
  constexpr double room = 0.03;
  const auto is_met = [&](double limit) {
    return std::ranges::any_of(series,
                               [&](const PlotSeries& s) { return s.right == right && staysAt(*s.curve, limit); });
  };
  return {is_met(scale.low) ? scale.value(-room) : scale.low, is_met(scale.high) ? scale.value(1 + room) : scale.high,
          scale.logarithmic};
}

}  // namespace posiscope::ui

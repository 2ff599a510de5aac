// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/xpos.h"

#include "core/screen_number.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace posiscope {

std::vector<double> xposZeta(double gamma, std::int64_t rotary_dim) {
  std::vector<double> zeta;
  for (std::int64_t d = 0; d + 1 < rotary_dim; d += 2)
    zeta.push_back((static_cast<double>(d) / static_cast<double>(rotary_dim) + gamma) / (1.0 + gamma));
  return zeta;
}

template <class T>
double magnitudeReach(const RotationPart& rotation) {
  constexpr double room = 6000;
  double steepest = 0;
  for (const double step : rotation.log_magnitude) steepest = std::max(steepest, std::abs(step));
  return std::log(static_cast<double>(std::numeric_limits<T>::max()) / room) / steepest;
}

double farthestFromCentre(const RotationPart& rotation) {
  double farthest = 0;
  for (const double position : rotation.position)
    farthest = std::max(farthest, std::abs(position - rotation.magnitude_center));
  return farthest;
}

template <class T>
Outcome checkMagnitudes(const RotationPart& rotation) {
  if (rotation.log_magnitude.empty()) return {};
  const double reach = std::floor(magnitudeReach<T>(rotation)), farthest = farthestFromCentre(rotation);
  if (farthest <= reach) return {};
  const Text precision = std::is_same_v<T, float> ? Text{"single", "单"} : Text{"double", "双"};
  return fail(ErrorCode::out_of_range,
              join("xpos: tokens must be at most ", screenNumber(reach), " from the centre, where the factors leave ",
                   "the range of ", precision.en, " precision, got ", screenNumber(farthest)),
              join("xpos：词元与中心的距离不能超过 ", screenNumber(reach), "（再远则系数超出", precision.zh,
                   "精度范围），得到 ", screenNumber(farthest)));
}

template double magnitudeReach<float>(const RotationPart&);
template double magnitudeReach<double>(const RotationPart&);
template Outcome checkMagnitudes<float>(const RotationPart&);
template Outcome checkMagnitudes<double>(const RotationPart&);

}  // namespace posiscope

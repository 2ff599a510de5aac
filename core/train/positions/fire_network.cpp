// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/positions/fire_network.h"

#include <algorithm>
#include <cmath>

namespace posiscope::train::positions {

FireNetwork::FireNetwork(std::int64_t width, std::int64_t heads, double initial_length)
    : width_(width), heads_(heads), initial_length_(initial_length) {
  scheme_.width = width;
}

double FireNetwork::thresholdLength() const { return std::abs(p_[1] * initial_length_); }

void FireNetwork::forward(double position, double distance, double* bias) const {
  const double x = schemes::fireInput(scheme_, position, distance);
  const double *w1 = p_.data() + 2, *b1 = w1 + width_, *w2 = b1 + width_, *b2 = w2 + heads_ * width_;
  std::copy_n(b2, heads_, bias);
  for (std::int64_t u = 0; u < width_; ++u) {
    const double active = std::max(0.0, w1[u] * x + b1[u]);
    for (std::int64_t h = 0; h < heads_; ++h) bias[h] += w2[h * width_ + u] * active;
  }
}

void FireNetwork::backward(double position, double distance, const double* d_bias, double* gradient) const {
  const double x = schemes::fireInput(scheme_, position, distance);
  const double *w1 = p_.data() + 2, *b1 = w1 + width_, *w2 = b1 + width_;
  double *d_w1 = gradient + 2, *d_b1 = d_w1 + width_, *d_w2 = d_b1 + width_, *d_b2 = d_w2 + heads_ * width_;
  double d_x = 0;
  for (std::int64_t h = 0; h < heads_; ++h) d_b2[h] += d_bias[h];
  for (std::int64_t u = 0; u < width_; ++u) {
    const double active = w1[u] * x + b1[u];
    if (active <= 0) continue;
    double d_active = 0;
    for (std::int64_t h = 0; h < heads_; ++h) {
      d_active += d_bias[h] * w2[h * width_ + u];
      d_w2[h * width_ + u] += d_bias[h] * active;
    }
    d_w1[u] += d_active * x;
    d_b1[u] += d_active;
    d_x += d_active * w1[u];
  }
  // x = ψ(n)/(ψ(m) + ε), m = max(i, L), ψ(t) = ln(|c|·t + 1): c reaches both, L only where it is the larger one.
  const double stretch = std::abs(scheme_.c), length = scheme_.threshold_length;
  const double m = std::max(position, length);
  const double norm = schemes::fireLog(scheme_, m) + scheme_.epsilon;
  const auto by_stretch = [&](double t) { return t / (stretch * t + 1); };
  gradient[0] += d_x * std::copysign(1.0, scheme_.c) * (by_stretch(distance) - x * by_stretch(m)) / norm;
  if (length > position)
    gradient[1] -=
        d_x * x / norm * stretch / (stretch * m + 1) * std::copysign(1.0, p_[1] * initial_length_) * initial_length_;
}

}  // namespace posiscope::train::positions

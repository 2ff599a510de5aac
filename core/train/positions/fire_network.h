// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schemes/fire.h"

#include <cstdint>
#include <vector>

namespace posiscope::train::positions {

/// FIRE's function of (i, |n|) and its derivatives, in double. The parameters stand in one array: c, l_mult, w1 and b1
/// [width], w2 [heads, width], b2 [heads].
class FireNetwork {
 public:
  FireNetwork(std::int64_t width, std::int64_t heads, double initial_length);

  std::int64_t size() const { return 2 + 2 * width_ + heads_ * width_ + heads_; }
  template <class T>
  void load(const T* parameters) {
    p_.assign(parameters, parameters + size());
    scheme_.c = p_[0];
    scheme_.threshold_length = thresholdLength();
  }

  /// The bias of every head for a query at `position` and a key at this distance.
  void forward(double position, double distance, double* bias) const;
  /// gradient += the derivative of Σ_h d_bias[h]·bias[h].
  void backward(double position, double distance, const double* d_bias, double* gradient) const;

 private:
  double thresholdLength() const;

  std::int64_t width_, heads_;
  double initial_length_;
  std::vector<double> p_;
  schemes::FireParams scheme_;
};

}  // namespace posiscope::train::positions

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace posiscope::measures {

/// What turns at each token, in double: one axis for text, for added sines and for a score of its own.
struct Turning {
  std::int64_t axes = 1;
  std::vector<double> frequency;  ///< [axes, pairs], radians per step
  std::vector<double> position;   ///< [axes, tokens]
  std::int64_t pairs = 0;
  std::int64_t tokens = 0;

  double frequencyOf(std::int64_t axis, std::int64_t pair) const {
    return frequency[static_cast<std::size_t>(axis * pairs + pair)];
  }
  double positionOf(std::int64_t axis, std::int64_t token) const {
    return position[static_cast<std::size_t>(axis * tokens + token)];
  }
  bool reads(std::int64_t axis, std::int64_t pair) const { return frequencyOf(axis, pair) != 0; }
  /// Radians: the sum over the axes.
  double angle(std::int64_t token, std::int64_t pair) const {
    double sum = 0;
    for (std::int64_t a = 0; a < axes; ++a) sum += frequencyOf(a, pair) * positionOf(a, token);
    return sum;
  }
};
using TurningPtr = std::shared_ptr<const Turning>;

/// Of the rotation (set `set`) or, without one, of the added sines or of a score of its own; without pairs when nothing
/// turns.
TurningPtr turningOf(const Encoding<float>& encoding, std::int64_t set, const Shape& shape);

}  // namespace posiscope::measures

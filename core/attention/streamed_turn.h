// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"

#include <cstdint>
#include <vector>

namespace posiscope::attention {

/// Turns long runs of rows as `Rotor` does. Where positions are evenly spaced each stretch of 64 tokens starts from
/// angles computed afresh and goes on by products of complex numbers in double, at most 1e-14 off; else it is a Rotor.
class LongRotor {
 public:
  /// The rotation must outlive this; `set` as in RotationPart.
  LongRotor(const RotationPart& rotation, std::int64_t set);

  /// Rows [count, head_dim] of the tokens from `first_token` on, in place; `key` picks the xPos direction.
  void turn(std::int64_t first_token, std::int64_t count, bool key, float* rows, std::int64_t head_dim) const;

 private:
  static constexpr std::int64_t stretch = 64;

  void turnStretch(std::int64_t start_token, std::int64_t skip, std::int64_t count, float* rows,
                   std::int64_t head_dim) const;

  const RotationPart* rotation_;
  std::int64_t set_;
  bool is_even_ = false;
  std::vector<std::int64_t> first_dim_, second_dim_;
  std::vector<double> step_cos_, step_sin_;  ///< [stretch, pairs], of the angle from the start of the stretch
};

}  // namespace posiscope::attention

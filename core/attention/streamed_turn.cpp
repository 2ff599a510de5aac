// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/streamed_turn.h"

#include "core/attention/rotation.h"
#include "core/profile.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace posiscope::attention {
namespace {

/// What turns one row: the angle at the start of the stretch and the step from there, both as cosines and sines.
struct RowTurn {
  std::size_t pairs;
  const double *start_cos, *start_sin, *step_cos, *step_sin;
  const std::int64_t *first_dim, *second_dim;
};

__attribute__((always_inline)) inline void turnRow(const RowTurn& t, float* row) {
  for (std::size_t p = 0; p < t.pairs; ++p) {
    const double c = t.start_cos[p] * t.step_cos[p] - t.start_sin[p] * t.step_sin[p];
    const double s = t.start_sin[p] * t.step_cos[p] + t.start_cos[p] * t.step_sin[p];
    float& first = row[t.first_dim[p]];
    float& second = row[t.second_dim[p]];
    const double a = static_cast<double>(first), b = static_cast<double>(second);
    first = static_cast<float>(a * c - b * s);
    second = static_cast<float>(a * s + b * c);
  }
}

}  // namespace

LongRotor::LongRotor(const RotationPart& rotation, std::int64_t set) : rotation_(&rotation), set_(set) {
  const auto even = offsetRotation(rotation, set);
  is_even_ = even && rotation.log_magnitude.empty();
  if (!is_even_) return;
  for (std::int64_t p = 0; p < rotation.pairs(); ++p) {
    first_dim_.push_back(rotation.firstDim(p));
    second_dim_.push_back(rotation.secondDim(p));
  }
  for (std::int64_t d = 0; d < stretch; ++d)
    for (const double step : even->frequency) {
      step_cos_.push_back(std::cos(static_cast<double>(d) * step));
      step_sin_.push_back(std::sin(static_cast<double>(d) * step));
    }
}

void LongRotor::turnStretch(std::int64_t start_token, std::int64_t skip, std::int64_t count, float* rows,
                            std::int64_t head_dim) const {
  const std::size_t pairs = first_dim_.size();
  std::vector<double> start(2 * pairs);
  for (std::size_t p = 0; p < pairs; ++p) {
    const double angle = rotation_->angle(set_, start_token, static_cast<std::int64_t>(p));
    start[p] = std::cos(angle) * rotation_->attention_factor;
    start[pairs + p] = std::sin(angle) * rotation_->attention_factor;
  }
  for (std::int64_t r = 0; r < count; ++r) {
    const std::size_t at = static_cast<std::size_t>(skip + r) * pairs;
    turnRow({pairs, start.data(), start.data() + pairs, step_cos_.data() + at, step_sin_.data() + at, first_dim_.data(),
             second_dim_.data()},
            rows + r * head_dim);
  }
}

void LongRotor::turn(std::int64_t first_token, std::int64_t count, bool key, float* rows, std::int64_t head_dim) const {
  if (!is_even_) {
    Rotor(*rotation_, set_, first_token, count)
        .turn(std::span<float>(rows, static_cast<std::size_t>(count * head_dim)), head_dim, key);
    return;
  }
  // Stretches begin at multiples of their length, so that a token is turned alike in every run.
  for (std::int64_t token = first_token; token < first_token + count;) {
    const std::int64_t start = token / stretch * stretch;
    const std::int64_t end = std::min(start + stretch, first_token + count);
    turnStretch(start, token - start, end - token, rows + (token - first_token) * head_dim, head_dim);
    token = end;
  }
}

}  // namespace posiscope::attention

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/rotation.h"

#include "core/attention/attention.h"

#include <cassert>
#include <cmath>

namespace posiscope::attention {

Rotor::Rotor(const RotationPart& rotation, std::int64_t set, std::int64_t first_token, std::int64_t tokens) {
  const std::int64_t pairs = rotation.pairs();
  assert(static_cast<std::int64_t>(rotation.position.size()) >= rotation.axes * (first_token + tokens));
  for (std::int64_t p = 0; p < pairs; ++p) {
    first_dim_.push_back(rotation.firstDim(p));
    second_dim_.push_back(rotation.secondDim(p));
  }
  turns_.reserve(static_cast<std::size_t>(tokens * pairs));
  for (std::int64_t t = first_token; t < first_token + tokens; ++t) {
    const double from_centre = rotation.position[static_cast<std::size_t>(t)] - rotation.magnitude_center;
    for (std::int64_t p = 0; p < pairs; ++p) {
      const double angle = rotation.angle(set, t, p);
      const double magnitude = rotation.log_magnitude.empty()
                                   ? 1.0
                                   : std::exp(rotation.log_magnitude[static_cast<std::size_t>(p)] * from_centre);
      turns_.push_back(
          {std::cos(angle) * rotation.attention_factor, std::sin(angle) * rotation.attention_factor, magnitude});
    }
  }
}

template <class T>
void Rotor::turn(std::span<T> rows, std::int64_t head_dim, bool key, std::int64_t skip) const {
  const std::size_t pairs = first_dim_.size();
  const Turn* turn = turns_.data() + static_cast<std::size_t>(skip) * pairs;
  for (T* row = rows.data(); row != rows.data() + rows.size(); row += head_dim) {
    for (std::size_t p = 0; p < pairs; ++p, ++turn) {
      const double scale = key ? 1.0 / turn->magnitude : turn->magnitude;
      const double a = static_cast<double>(row[first_dim_[p]]) * scale;
      const double b = static_cast<double>(row[second_dim_[p]]) * scale;
      row[first_dim_[p]] = static_cast<T>(a * turn->cosine - b * turn->sine);
      row[second_dim_[p]] = static_cast<T>(a * turn->sine + b * turn->cosine);
    }
  }
}

template void Rotor::turn(std::span<float>, std::int64_t, bool, std::int64_t) const;
template void Rotor::turn(std::span<double>, std::int64_t, bool, std::int64_t) const;

template <class T>
void rotate(const RotationPart& rotation, std::int64_t head, std::int64_t first_token, bool key, std::span<T> rows,
            std::int64_t head_dim) {
  assert(rotation.endDim() <= head_dim);
  const std::int64_t tokens = static_cast<std::int64_t>(rows.size()) / head_dim;
  Rotor(rotation, rotation.sets > 1 ? head : 0, first_token, tokens).turn(rows, head_dim, key);
}

template void rotate(const RotationPart&, std::int64_t, std::int64_t, bool, std::span<float>, std::int64_t);
template void rotate(const RotationPart&, std::int64_t, std::int64_t, bool, std::span<double>, std::int64_t);

}  // namespace posiscope::attention

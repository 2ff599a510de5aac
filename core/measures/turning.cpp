// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/turning.h"

#include "core/measures/frequencies.h"

#include <iterator>
#include <utility>

namespace posiscope::measures {

TurningPtr turningOf(const Encoding<float>& encoding, std::int64_t set, const Shape& shape) {
  Turning t;
  t.tokens = shape.keys();
  if (const auto& rotation = encoding.rotation) {
    t.axes = rotation->axes;
    t.pairs = rotation->pairs();
    const auto begin = rotation->frequency.begin() + set * t.axes * t.pairs;
    t.frequency.assign(begin, begin + t.axes * t.pairs);
    t.position = rotation->position;
  } else {
    t.frequency = turning(encoding, set);
    t.pairs = std::ssize(t.frequency);
    for (std::int64_t i = 0; i < t.tokens; ++i) t.position.push_back(shape.first_position + static_cast<double>(i));
  }
  return std::make_shared<const Turning>(std::move(t));
}

}  // namespace posiscope::measures

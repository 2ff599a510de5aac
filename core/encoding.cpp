// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding.h"

namespace posiscope {

double RotationPart::angle(std::int64_t set, std::int64_t token, std::int64_t pair) const {
  const std::int64_t length = static_cast<std::int64_t>(position.size()) / axes;
  double sum = 0;
  for (std::int64_t a = 0; a < axes; ++a)
    sum += frequencyOf(set, a, pair) * position[static_cast<std::size_t>(a * length + token)];
  return sum;
}

std::int64_t RotationPart::firstDim(std::int64_t pair) const {
  switch (pairing) {
    case Pairing::interleaved: return 2 * pair;
    case Pairing::half: return pair;
    case Pairing::block_half: break;
  }
  const std::int64_t block = pairs() / axes;  // pairs of one axis
  return (pair / block) * 2 * block + pair % block;
}

std::int64_t RotationPart::secondDim(std::int64_t pair) const {
  switch (pairing) {
    case Pairing::interleaved: return 2 * pair + 1;
    case Pairing::half: return pair + pairs();
    case Pairing::block_half: break;
  }
  return firstDim(pair) + pairs() / axes;
}

}  // namespace posiscope

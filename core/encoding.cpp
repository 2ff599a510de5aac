// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding.h"

#include <algorithm>

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
    case Pairing::interleaved: return first_dim + 2 * pair;
    case Pairing::half: return first_dim + pair;
    case Pairing::block_half: break;
  }
  const std::int64_t block = pairs() / axes;  // pairs of one axis
  return first_dim + (pair / block) * 2 * block + pair % block;
}

std::int64_t RotationPart::secondDim(std::int64_t pair) const {
  switch (pairing) {
    case Pairing::interleaved: return firstDim(pair) + 1;
    case Pairing::half: return firstDim(pair) + pairs();
    case Pairing::block_half: break;
  }
  return firstDim(pair) + pairs() / axes;
}

Mask narrowed(Mask mask, const Reach& reach) {
  if (reach.window >= 0) mask.window = mask.window < 0 ? reach.window : std::min(mask.window, reach.window);
  // Two divisions into chunks do not make a third one; the finer one is the layer's or the user's.
  if (reach.chunk > 0) mask.chunk = mask.chunk > 0 ? std::min(mask.chunk, reach.chunk) : reach.chunk;
  return mask;
}

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/xpos.h"

namespace posiscope {

std::vector<double> xposZeta(double gamma, std::int64_t rotary_dim) {
  std::vector<double> zeta;
  for (std::int64_t d = 0; d + 1 < rotary_dim; d += 2)
    zeta.push_back((static_cast<double>(d) / static_cast<double>(rotary_dim) + gamma) / (1.0 + gamma));
  return zeta;
}

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base_range.h"

namespace posiscope {

std::vector<Text> baseWarnings(double base) {
  if (base >= 1) return {};
  return {{join("With a base of ", base, ", below 1, the frequencies grow from pair to pair."),
           join("底数 ", base, " 小于 1，频率会逐对增大。")}};
}

}  // namespace posiscope

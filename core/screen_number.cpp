// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/screen_number.h"

#include <cmath>
#include <locale>
#include <sstream>

namespace posiscope {

std::string screenNumber(double value) {
  constexpr double largest_grouped = 1e15;  // beyond, a double no longer shows every unit
  std::ostringstream out;
  out.imbue(std::locale::classic());
  if (value != std::floor(value) || std::abs(value) >= largest_grouped) {
    out << value;
    return out.str();
  }
  out << static_cast<long long>(std::abs(value));
  std::string digits = out.str();
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, "\u202f");
  return (value < 0 ? "\u2212" : "") + digits;
}

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/screen_number.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <locale>
#include <sstream>

namespace posiscope {

std::string screenNumber(double value) {
  constexpr double largest_grouped = 1e15;  // beyond, a double no longer shows every unit
  std::ostringstream out;
  out.imbue(std::locale::classic());
  if (value != std::floor(value) || std::abs(value) >= largest_grouped) {
    out << std::abs(value);
    return (value < 0 ? "\u2212" : "") + out.str();
  }
  out << static_cast<long long>(std::abs(value));
  std::string digits = out.str();
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, "\u202f");
  return (value < 0 ? "\u2212" : "") + digits;
}

std::string screenFactor(double factor, double times) {
  if (factor == std::floor(factor)) return screenNumber(factor);
  constexpr int least = 5;  // half a unit of the fifth digit of a product below 1
  constexpr int most = 15;
  const double product = std::abs(factor * times);
  const int before_point = product > 1 ? static_cast<int>(std::ceil(std::log10(product))) : 0;
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(std::clamp(least + before_point, least, most));
  out << std::abs(factor);
  return (factor < 0 ? "\u2212" : "") + out.str();
}

std::string subscript(std::int64_t value) {
  std::string text = value < 0 ? "\u208b" : "";
  for (const char digit : std::to_string(std::abs(value))) {
    // U+2080 … U+2089 in UTF-8: only the last byte differs.
    text += "\xe2\x82";
    text += static_cast<char>(0x80 + (digit - '0'));
  }
  return text;
}

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/element.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace posiscope::files {
namespace {

template <class Unsigned>
Unsigned word(const unsigned char* bytes, bool big_endian) {
  Unsigned value = 0;
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
    const std::size_t shift = 8 * (big_endian ? sizeof(Unsigned) - 1 - i : i);
    value = static_cast<Unsigned>(value | (static_cast<Unsigned>(bytes[i]) << shift));
  }
  return value;
}

enum class Specials { ieee, only_nan, unsigned_zero };

/// Sign, exponent and mantissa of a float of at most 16 bits. `ieee`: the highest exponent means Inf and NaN;
/// `only_nan`: only all ones is NaN; `unsigned_zero`: only the pattern of −0 is NaN.
double smallFloat(unsigned bits, int exponent_bits, int mantissa_bits, int bias, Specials specials) {
  const unsigned mantissa_mask = (1u << mantissa_bits) - 1;
  const unsigned exponent_mask = (1u << exponent_bits) - 1;
  const unsigned mantissa = bits & mantissa_mask;
  const unsigned exponent = (bits >> mantissa_bits) & exponent_mask;
  const double sign = (bits >> (mantissa_bits + exponent_bits)) & 1u ? -1.0 : 1.0;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (specials == Specials::ieee && exponent == exponent_mask)
    return mantissa ? nan : sign * std::numeric_limits<double>::infinity();
  if (specials == Specials::only_nan && exponent == exponent_mask && mantissa == mantissa_mask) return nan;
  if (specials == Specials::unsigned_zero && sign < 0 && exponent == 0 && mantissa == 0) return nan;
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
  return sign * std::ldexp(mantissa + mantissa_mask + 1, static_cast<int>(exponent) - bias - mantissa_bits);
}

/// A half by its bits: the exponent's bias is changed by a multiplication, which is right for subnormals too. Model
/// weights come by the hundred million, and ldexp for each would take most of the time.
float halfFloat(std::uint16_t bits) {
  const std::uint32_t magnitude = static_cast<std::uint32_t>(bits & 0x7FFFu) << 13;
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  constexpr std::uint32_t infinity = 0x7C00u << 13;
  const std::uint32_t value = magnitude >= infinity
                                  ? magnitude | 0x7F800000u  // infinity, and NaN with its payload
                                  : std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
  return std::bit_cast<float>(value | sign);
}

template <class Unsigned, class Convert>
void each(bool big_endian, std::span<const unsigned char> bytes, std::span<double> out, Convert convert) {
  assert(bytes.size() == out.size() * sizeof(Unsigned));
  const unsigned char* from = bytes.data();
  for (double& value : out) {
    value = static_cast<double>(convert(word<Unsigned>(from, big_endian)));
    from += sizeof(Unsigned);
  }
}

template <class Signed>
auto reinterpreted() {
  return [](auto bits) { return std::bit_cast<Signed>(bits); };
}

}  // namespace

std::size_t bytesOf(Element type) {
  switch (type) {
    case Element::f64:
    case Element::i64:
    case Element::u64: return 8;
    case Element::f32:
    case Element::i32:
    case Element::u32: return 4;
    case Element::f16:
    case Element::bf16:
    case Element::i16:
    case Element::u16: return 2;
    default: return 1;
  }
}

void decode(Element type, bool big, std::span<const unsigned char> bytes, std::span<double> out) {
  using u8 = std::uint8_t;
  using u16 = std::uint16_t;
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;
  const auto small = [&](int exponent_bits, int mantissa_bits, int bias, Specials specials) {
    each<u8>(big, bytes, out, [=](u8 b) { return smallFloat(b, exponent_bits, mantissa_bits, bias, specials); });
  };
  const auto power = [](u8 b) {
    return b == 255 ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, b - 127);
  };
  switch (type) {
    case Element::f64: return each<u64>(big, bytes, out, reinterpreted<double>());
    case Element::f32: return each<u32>(big, bytes, out, reinterpreted<float>());
    case Element::f16: return each<u16>(big, bytes, out, halfFloat);
    case Element::bf16:
      return each<u16>(big, bytes, out, [](u16 b) { return std::bit_cast<float>(static_cast<u32>(b) << 16); });
    case Element::f8_e4m3: return small(4, 3, 7, Specials::only_nan);
    case Element::f8_e5m2: return small(5, 2, 15, Specials::ieee);
    case Element::f8_e8m0: return each<u8>(big, bytes, out, power);
    case Element::f8_e4m3fnuz: return small(4, 3, 8, Specials::unsigned_zero);
    case Element::f8_e5m2fnuz: return small(5, 2, 16, Specials::unsigned_zero);
    case Element::i8: return each<u8>(big, bytes, out, reinterpreted<std::int8_t>());
    case Element::i16: return each<u16>(big, bytes, out, reinterpreted<std::int16_t>());
    case Element::i32: return each<u32>(big, bytes, out, reinterpreted<std::int32_t>());
    case Element::i64: return each<u64>(big, bytes, out, reinterpreted<std::int64_t>());
    case Element::u8: return each<u8>(big, bytes, out, [](u8 b) { return b; });
    case Element::u16: return each<u16>(big, bytes, out, [](u16 b) { return b; });
    case Element::u32: return each<u32>(big, bytes, out, [](u32 b) { return b; });
    case Element::u64: return each<u64>(big, bytes, out, [](u64 b) { return b; });
    case Element::boolean: return each<u8>(big, bytes, out, [](u8 b) { return b != 0; });
  }
}

}  // namespace posiscope::files

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/random.h"

#include <cmath>
#include <numbers>

namespace posiscope {
namespace {

constexpr std::uint64_t golden_gamma = 0x9E3779B97F4A7C15;

// The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
std::uint64_t mix(std::uint64_t z) {
  z ^= z >> 30;
  z *= 0xBF58476D1CE4E5B9;
  z ^= z >> 27;
  z *= 0x94D049BB133111EB;
  z ^= z >> 31;
  return z;
}

std::uint64_t fnv1a(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : name) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001B3;
  }
  return hash;
}

}  // namespace

Stream::Stream(std::uint64_t seed, std::string_view name) : key_(mix(mix(seed) ^ fnv1a(name))) {}

std::uint64_t Stream::draw(std::uint64_t e, std::uint64_t c) const {
  return mix(mix(key_ + e * golden_gamma) + (c + 1) * golden_gamma);
}

std::uint64_t Stream::below(std::uint64_t m, std::uint64_t e, std::uint64_t c) const {
  return ((draw(e, c) >> 32) * m) >> 32;
}

double Stream::unit(std::uint64_t e, std::uint64_t c) const {
  return static_cast<double>(draw(e, c) >> 11) * 0x1p-53;
}

double Stream::normal(std::uint64_t e) const {
  return std::sqrt(-2.0 * std::log(1.0 - unit(e, 0))) * std::cos(2.0 * std::numbers::pi * unit(e, 1));
}

}  // namespace posiscope

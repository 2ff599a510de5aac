// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace posiscope {

/// A counter-based generator: any draw can be made alone, in any thread, without the ones before it, and is
/// the same on every machine. One stream per (seed, name).
class Stream {
 public:
  Stream(std::uint64_t seed, std::string_view name);

  /// Draw number `c` of example `e`, 64 uniform bits.
  std::uint64_t draw(std::uint64_t e, std::uint64_t c) const;
  /// Uniform integer in [0, m), from draw `c`.
  std::uint64_t below(std::uint64_t m, std::uint64_t e, std::uint64_t c) const;
  /// Uniform in [0, 1), 53 bits, from draw `c`.
  double unit(std::uint64_t e, std::uint64_t c) const;
  /// Standard normal of example `e` (Box–Muller on draws 0 and 1).
  double normal(std::uint64_t e) const;
  /// Standard normals of the examples first, first + 1, …, times `deviation`: the same numbers to a few units in the
  /// last place of single precision, several at a time where the processor can. Serial.
  void normals(std::uint64_t first, float deviation, std::span<float> out) const;

 private:
  std::uint64_t key_;
};

}  // namespace posiscope

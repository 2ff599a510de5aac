// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace posiscope::files {

/// The number types that are read; everything becomes double (64-bit integers beyond 2^53 are rounded).
enum class Element {
  f64,
  f32,
  f16,
  bf16,
  f8_e4m3,
  f8_e5m2,
  f8_e8m0,
  f8_e4m3fnuz,
  f8_e5m2fnuz,
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  boolean,
};

std::size_t bytesOf(Element type);

/// Decodes out.size() numbers from `bytes`, which holds exactly that many.
void decode(Element type, bool big_endian, std::span<const unsigned char> bytes, std::span<double> out);

}  // namespace posiscope::files

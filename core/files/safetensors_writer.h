// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace posiscope::files {

/// A tensor about to be written; its bytes belong to the caller.
struct TensorToWrite {
  std::string name;
  std::string dtype;  ///< "F32", "F64", "U8"
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;
};

template <class T>
TensorToWrite tensorToWrite(std::string name, std::vector<std::int64_t> shape, std::span<const T> numbers) {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, char>);
  const char* dtype = std::is_same_v<T, float> ? "F32" : std::is_same_v<T, double> ? "F64" : "U8";
  return {std::move(name), dtype, std::move(shape), std::as_bytes(numbers)};
}

/// A .safetensors file with these tensors in this order; it appears as a whole or not at all.
/// Error: file_write.
Outcome writeSafetensors(const std::string& path, const std::vector<TensorToWrite>& tensors);

}  // namespace posiscope::files

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace posiscope::test {

/// The bytes of a .safetensors file with this header, whether it is right or not.
inline std::string safetensorsBytes(const std::string& header, const std::string& data) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(std::uint64_t{header.size()} >> (8 * i)));
  return bytes + header + data;
}

}  // namespace posiscope::test

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <cassert>

namespace posiscope::files {
namespace {

constexpr std::size_t first_room = std::size_t{1} << 16;

const Bytef* bytesOf(std::string_view text) { return reinterpret_cast<const Bytef*>(text.data()); }
Bytef* bytesOf(std::string& text) { return reinterpret_cast<Bytef*>(text.data()); }

}  // namespace

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string packed(size, '\0');
  const int state =
      compress2(bytesOf(packed), &size, bytesOf(bytes), static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
  assert(state == Z_OK);  // there is room enough
  static_cast<void>(state);
  packed.resize(size);
  return packed;
}

std::optional<std::string> inflated(std::string_view packed, std::size_t most) {
  // A small file must not ask for much memory before it has shown that it holds as much.
  for (std::size_t room = std::min(most, std::max(first_room, 4 * packed.size()));; room = std::min(most, 4 * room)) {
    std::string bytes(room, '\0');
    uLongf size = static_cast<uLongf>(room);
    const int state = uncompress(bytesOf(bytes), &size, bytesOf(packed), static_cast<uLong>(packed.size()));
    if (state == Z_OK) {
      bytes.resize(size);
      return bytes;
    }
    if (state != Z_BUF_ERROR || room == most) return std::nullopt;
  }
}

}  // namespace posiscope::files

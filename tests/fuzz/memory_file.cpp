// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/memory_file.h"

#include <sys/mman.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>

namespace posiscope::fuzz {

std::string memoryFile(const std::uint8_t* bytes, std::size_t size) {
  static const int file = memfd_create("input", 0);
  require(file >= 0 && ftruncate(file, 0) == 0, "a file in memory");
  require(pwrite(file, bytes, size, 0) == static_cast<ssize_t>(size), "the bytes written to it");
  return "/proc/self/fd/" + std::to_string(file);
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace posiscope::fuzz

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "tests/fuzz/memory_file.h"

using namespace posiscope;

/// Any bytes are an array no larger than the file, or one sentence.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string path = fuzz::memoryFile(bytes, size);
  const auto array = files::readNpy(path);
  if (!array) {
    fuzz::require(files::isUtf8(array.error().message.en) && files::isUtf8(array.error().message.zh),
                  "a message that can be shown");
    return 0;
  }
  fuzz::require(static_cast<std::size_t>(array->size()) <= size, "no more numbers than bytes");
  std::int64_t count = 1;
  for (const std::int64_t d : array->shape) count *= d;
  fuzz::require(count == array->size(), "as many numbers as the shape says");
  return 0;
}

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "core/models/positional_tensor.h"
#include "tests/fuzz/memory_file.h"

using namespace posiscope;

/// Any bytes are tensors that together are no larger than the file, or one sentence.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto file = files::Safetensors::open(fuzz::memoryFile(bytes, size));
  if (!file) {
    fuzz::require(files::isUtf8(file.error().message.en) && files::isUtf8(file.error().message.zh),
                  "a message that can be shown");
    return 0;
  }
  std::uint64_t total = 0;
  for (const files::TensorEntry& tensor : file->tensors()) {
    total += tensor.bytes;
    fuzz::require(tensor.offset + tensor.bytes <= size, "a tensor inside the file");
    models::findPositional(tensor.name);
    const auto array = file->read(tensor);
    fuzz::require(array.has_value() == tensor.readable, "readable tensors are read");
  }
  fuzz::require(total <= size, "no byte twice");
  return 0;
}

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/safetensors_writer.h"

#include "core/files/atomic_file.h"

#include <bit>
#include <nlohmann/json.hpp>

namespace posiscope::files {

static_assert(std::endian::native == std::endian::little, "the format's numbers are little-endian");

Outcome writeSafetensors(const std::string& path, const std::vector<TensorToWrite>& tensors) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  std::uint64_t offset = 0;
  for (const TensorToWrite& t : tensors) {
    header[t.name] = {{"dtype", t.dtype}, {"shape", t.shape}, {"data_offsets", {offset, offset + t.bytes.size()}}};
    offset += t.bytes.size();
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');  // numbers start aligned
  Expected<AtomicFile> file = AtomicFile::open(path);
  if (!file) return fail(file.error());
  const std::uint64_t size = text.size();
  const auto bytesOf = [](const void* data, std::size_t count) {
    return std::string_view(static_cast<const char*>(data), count);
  };
  if (Outcome ok = file->write(bytesOf(&size, sizeof size)); !ok) return ok;
  if (Outcome ok = file->write(text); !ok) return ok;
  for (const TensorToWrite& t : tensors)
    if (Outcome ok = file->write(bytesOf(t.bytes.data(), t.bytes.size())); !ok) return ok;
  return file->commit();
}

}  // namespace posiscope::files

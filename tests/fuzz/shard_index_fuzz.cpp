// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/reader.h"
#include "tests/fuzz/memory_file.h"

using namespace posiscope;

/// Whatever names an index holds, no file outside its folder is named.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto shards = files::readShardIndex(fuzz::memoryFile(bytes, size));
  if (!shards) return 0;
  for (const std::string& shard : *shards)
    fuzz::require(shard.starts_with("/proc/self/fd/") && shard.find('/', 14) == std::string::npos, "a plain name");
  return 0;
}

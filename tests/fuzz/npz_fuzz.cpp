// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/npz.h"
#include "core/files/refusal.h"
#include "core/files/zip_archive.h"
#include "tests/fuzz/memory_file.h"

#include <algorithm>

using namespace posiscope;

namespace {

/// Deflate cannot grow bytes by more.
constexpr std::size_t most_growth = 1032;

void requireSentence(const Error& error) {
  fuzz::require(!error.message.en.empty() && files::isUtf8(error.message.en) && files::isUtf8(error.message.zh),
                "a message that can be shown");
}

void readMembers(const std::string& path, std::size_t size) {
  const auto archive = files::ZipArchive::open(path);
  if (!archive) return requireSentence(archive.error());
  std::size_t unpacked = 0;
  for (const files::ZipMember& member : archive->members()) {
    fuzz::require(archive->find(member.name), "a member that is found by its name");
    const auto start = archive->bytes(member, 64);
    fuzz::require(!start || start->size() == std::min<std::uint64_t>(member.size, 64),
                  "as long a start as was asked for");
    const auto whole = archive->bytes(member);
    if (!whole) {
      requireSentence(whole.error());
      continue;
    }
    fuzz::require(whole->size() == member.size, "as many bytes as the directory says");
    unpacked += whole->size();
  }
  fuzz::require(unpacked <= most_growth * size, "no more bytes than deflate can hold");
}

}  // namespace

/// Any bytes are an archive of arrays that are no larger than what they unpack to, or one sentence.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string path = fuzz::memoryFile(bytes, size);
  readMembers(path, size);
  const auto entries = files::describeNpz(path);
  if (!entries) {
    requireSentence(entries.error());
    return 0;
  }
  for (const files::TensorEntry& entry : *entries) {
    const auto array = files::readNpz(path, entry.name);
    if (!array) {
      requireSentence(array.error());
      continue;
    }
    fuzz::require(array->shape == entry.shape, "the shape that was described");
    std::int64_t count = 1;
    for (const std::int64_t d : array->shape) count *= d;
    fuzz::require(count == array->size(), "as many numbers as the shape says");
    fuzz::require(static_cast<std::size_t>(count) <= most_growth * size, "no more numbers than bytes");
  }
  return 0;
}

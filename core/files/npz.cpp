// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/npz.h"

#include "core/files/npy_source.h"
#include "core/files/refusal.h"
#include "core/files/zip_archive.h"
#include "core/near_names.h"

#include <algorithm>

namespace posiscope::files {
namespace {

constexpr std::string_view ending = ".npy";
/// More than the longest header that is read.
constexpr std::uint64_t header_bytes = 68u << 10;

std::string keyOf(const std::string& member) {
  return member.ends_with(ending) ? member.substr(0, member.size() - ending.size()) : member;
}

}  // namespace

Expected<std::vector<TensorEntry>> describeNpz(const std::string& path, const Job& job) {
  const Expected<ZipArchive> archive = ZipArchive::open(path, job);
  if (!archive) return fail(archive.error());
  std::vector<TensorEntry> entries;
  for (const ZipMember& member : archive->members()) {
    if (archive->find(member.name) != &member) continue;
    TensorEntry entry;
    entry.name = keyOf(member.name);
    entry.readable = false;
    entry.bytes = member.size;
    // The header is judged as the start of a file of the member's size, so what it claims must fit in there.
    const Expected<std::string> start = archive->bytes(member, header_bytes);
    if (start) {
      SourceFile file = SourceFile::unpacked(path + "#" + entry.name, *start, job, member.size);
      if (const Expected<TensorEntry> found = describeNpy(std::move(file))) {
        const std::string name = std::move(entry.name);
        entry = *found;
        entry.name = name;
        entry.offset = 0;
      }
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

Expected<Array> readNpz(const std::string& path, std::string_view name, const Job& job) {
  const Expected<ZipArchive> archive = ZipArchive::open(path, job);
  if (!archive) return fail(archive.error());
  const ZipMember* member = archive->find(std::string(name) + std::string(ending));
  if (!member) member = archive->find(name);
  if (!member) {
    std::vector<std::string> names;
    for (const ZipMember& m : archive->members()) names.push_back(escaped(keyOf(m.name)));
    const Text known = knownNames(escaped(name), names);
    const std::string file = escaped(path, 4096);
    return fail(ErrorCode::unknown_name, join(file, ": there is no array '", escaped(name), "'", known.en),
                join(file, "：没有名为“", escaped(name), "”的数组", known.zh));
  }
  Expected<std::string> bytes = archive->bytes(*member);
  if (!bytes) return fail(bytes.error());
  const std::uint64_t size = bytes->size();
  return readNpy(SourceFile::unpacked(path + "#" + std::string(name), *std::move(bytes), job, size));
}

}  // namespace posiscope::files

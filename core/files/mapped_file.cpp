// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/mapped_file.h"

#include "core/files/refusal.h"
#include "core/files/source_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cassert>

namespace posiscope::files {

struct MappedFile::Mapping {
  std::string path;
  std::uint64_t size = 0;
  int descriptor = -1;
  void* start = MAP_FAILED;

  Mapping() = default;
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (start != MAP_FAILED) ::munmap(start, static_cast<std::size_t>(size));
    if (descriptor >= 0) ::close(descriptor);
  }
};

Expected<MappedFile> MappedFile::open(const std::string& path) {
  // Devices, folders and what may not be read are refused in the words of every other reader.
  const Expected<SourceFile> file = SourceFile::open(path);
  if (!file) return fail(file.error());
  auto mapping = std::make_shared<Mapping>();
  mapping->path = path;
  mapping->size = file->size();
  mapping->descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (mapping->descriptor >= 0 && mapping->size > 0)
    mapping->start =
        ::mmap(nullptr, static_cast<std::size_t>(mapping->size), PROT_READ, MAP_SHARED, mapping->descriptor, 0);
  if (mapping->descriptor < 0 || (mapping->size > 0 && mapping->start == MAP_FAILED))
    return refuse(ErrorCode::file_missing, path, {"the path", "路径"},
                  {"a file that can be mapped into memory", "可以映射到内存的文件"},
                  Text{"one the system refuses to map", "系统拒绝映射的文件"});
  MappedFile result;
  result.mapping_ = std::move(mapping);
  return result;
}

const std::string& MappedFile::path() const { return mapping_->path; }
std::uint64_t MappedFile::size() const { return mapping_->size; }

Expected<std::span<const unsigned char>> MappedFile::bytes(std::uint64_t offset, std::uint64_t count) const {
  assert(offset <= size() && count <= size() - offset);
  struct stat now {};
  const bool known = ::fstat(mapping_->descriptor, &now) == 0;
  const std::uint64_t size_now = known ? static_cast<std::uint64_t>(now.st_size) : 0;
  if (size_now < offset + count)
    return refuse(ErrorCode::file_format, path(), {"the file's size", "文件大小"},
                  {join("still ", size(), " bytes"), join("仍为 ", size(), " 字节")}, join(size_now));
  return std::span(static_cast<const unsigned char*>(mapping_->start) + offset, static_cast<std::size_t>(count));
}

void MappedFile::release(std::span<const unsigned char> bytes) const {
  if (bytes.empty()) return;
  // Whole pages only; those at the ends may hold a neighbour's bytes, which then are read again.
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data()) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(bytes.data() + bytes.size());
  // Only advice: a system that cannot follow it loses nothing but memory.
  (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

}  // namespace posiscope::files

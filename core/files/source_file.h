// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/files/element.h"
#include "core/job.h"

#include <cstdint>
#include <istream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope::files {

/// A regular file whose size is known before anything is read from it. All reads are checked against that size,
/// so a declared length never decides what is allocated.
class SourceFile {
 public:
  /// Errors: file_missing (no such file, a folder, a device, no permission).
  static Expected<SourceFile> open(const std::string& path, const Job& job = Job());
  /// A file of `size` bytes inside another one, or the start of it, unpacked; `path` names both: "a.npz#weights".
  static SourceFile unpacked(std::string path, std::string start, const Job& job, std::uint64_t size);

  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  /// Exactly out.size() bytes from `offset`. Errors: file_format when the file ends before (it shrank meanwhile).
  Outcome read(std::uint64_t offset, std::span<unsigned char> out);
  Expected<std::string> text(std::uint64_t offset, std::uint64_t bytes);
  /// `count` numbers from `offset`, decoded piece by piece: the raw bytes are never held as a whole. Error also:
  /// cancelled, when the job was stopped between two pieces.
  Expected<std::vector<double>> numbers(std::uint64_t offset, std::uint64_t count, Element type, bool big_endian);
  /// Up to `bytes` bytes from the start, fewer when the file is smaller.
  std::string start(std::uint64_t bytes);

 private:
  Error tooShort(std::uint64_t wanted) const;

  std::string path_;
  std::unique_ptr<std::istream> stream_;
  std::uint64_t size_ = 0;
  Job job_;
};

/// Products of sizes that may lie: nullopt when the product leaves 64 bits or a dimension is above 2^48 (the limit
/// of the published safetensors schema). Any 0 gives 0.
std::optional<std::uint64_t> product(const std::vector<std::int64_t>& shape);
inline constexpr std::int64_t largest_dimension = std::int64_t{1} << 48;

/// What a file with these first bytes really is, when it is one of the things people take for another: a Git-LFS
/// pointer, a web page, a pickle, an archive, nothing at all.
std::optional<Text> recognise(std::string_view first_bytes);

}  // namespace posiscope::files

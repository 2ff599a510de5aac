// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/job.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope::files {

/// One file of an archive; nothing of its data has been read. Sizes are those of the central directory.
struct ZipMember {
  std::string name;  ///< untrusted: shown escaped, never a path
  std::uint64_t local_header = 0;
  std::uint64_t packed = 0;
  std::uint64_t size = 0;
  std::uint32_t checksum = 0;
  unsigned method = 0;  ///< 0 stored, 8 deflated
  bool encrypted = false;
};

/// A zip archive as NumPy writes .npz: ZIP64, stored or deflated, with or without data descriptors. Hostile ones are
/// the normal case: members may not overlap, nor unpack to more than deflate can; nothing is believed that the file
/// has no room for.
class ZipArchive {
 public:
  /// Errors: file_missing, file_format; too_large for more than 65535 members.
  static Expected<ZipArchive> open(const std::string& path, const Job& job = Job());

  const std::vector<ZipMember>& members() const { return members_; }
  /// The last one of that name, as NumPy takes it; null when there is none.
  const ZipMember* find(std::string_view name) const;
  /// The member unpacked, its first `most` bytes where that is fewer. A whole one is checked against its checksum.
  /// Errors: file_format, file_type (a method other than the two, encryption), too_large, cancelled.
  Expected<std::string> bytes(const ZipMember& member, std::uint64_t most = ~std::uint64_t{0}) const;

 private:
  std::string path_;
  std::vector<ZipMember> members_;
  Job job_;
};

}  // namespace posiscope::files

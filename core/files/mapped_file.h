// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace posiscope::files {

/// A regular file seen as memory, read-only. Nothing is copied: pages come from the disk when they are touched, and the
/// system may take them back at any time. Copies share one mapping.
class MappedFile {
 public:
  /// Errors: those of SourceFile::open; file_missing when the system cannot map it.
  static Expected<MappedFile> open(const std::string& path);

  const std::string& path() const;
  std::uint64_t size() const;
  /// `count` bytes from `offset`, which the caller has checked against `size`. Error: file_format when the file has
  /// become shorter meanwhile, because touching what is gone would end the program.
  Expected<std::span<const unsigned char>> bytes(std::uint64_t offset, std::uint64_t count) const;
  /// The pages of these bytes are not needed soon: they stop counting as memory of this program. Reading them again is
  /// allowed, from any thread and at the same time.
  void release(std::span<const unsigned char> bytes) const;

 private:
  struct Mapping;
  std::shared_ptr<const Mapping> mapping_;
};

}  // namespace posiscope::files

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace posiscope::files {

/// A file that appears as a whole or not at all: written to a sibling, renamed over `path` by `commit`. Without
/// a commit the sibling is removed and what was at `path` is untouched. A link is followed, permissions are kept.
class AtomicFile {
 public:
  /// Errors: file_write (no such folder, no permission, the path is a folder).
  static Expected<AtomicFile> open(const std::string& path);
  AtomicFile(AtomicFile&&) = default;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  Outcome write(std::string_view bytes);
  Outcome commit();

 private:
  AtomicFile() = default;
  tl::unexpected<Error> failed(int error) const;

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;    ///< as given, for messages
  std::string target_;  ///< links followed
  std::string sibling_;
  std::unique_ptr<std::FILE, Close> stream_;
};

}  // namespace posiscope::files

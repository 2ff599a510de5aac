// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace posiscope::test {

/// An empty folder of its own for one test; removed with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// Writes a file of exactly these bytes and returns its path.
  std::string write(const std::string& name, std::string_view bytes) const;
  std::string read(const std::string& name) const;
  /// The names in the folder, sorted, separated by spaces.
  std::string listing() const;

 private:
  std::string path_;
};

}  // namespace posiscope::test

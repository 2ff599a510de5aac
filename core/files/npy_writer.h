// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/atomic_file.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace posiscope::files {

/// An .npy file that is written a piece at a time; it appears as a whole or not at all (see AtomicFile).
class NpyWriter {
 public:
  /// Error: file_write.
  static Expected<NpyWriter> open(const std::string& path, const std::vector<std::int64_t>& shape,
                                  bool single_precision);

  /// The next numbers, row-major; all together as many as the shape says.
  Outcome write(std::span<const double> numbers);
  Outcome commit() { return file_.commit(); }

 private:
  NpyWriter(AtomicFile file, bool single_precision) : file_(std::move(file)), single_precision_(single_precision) {}

  AtomicFile file_;
  bool single_precision_;
};

}  // namespace posiscope::files

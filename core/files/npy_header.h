// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/files/element.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope::files {

/// What the text of an .npy header says.
struct NpyHeader {
  std::string descr;
  Element type = Element::f64;
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

/// Reads the Python dict literal of an .npy file: exactly the keys descr, fortran_order and shape, in any order and
/// spacing. Made for this dict alone: no expression, no recursion. `major` is the file's version (2L is allowed up
/// to 2). Errors: file_format, file_type; the sentence starts with `file`.
Expected<NpyHeader> parseNpyHeader(std::string_view text, int major, std::string_view file);

}  // namespace posiscope::files

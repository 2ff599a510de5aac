// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/element.h"
#include "core/files/reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope::files {

/// A type's name in the header, upper case.
struct SafetensorsType {
  std::string_view name;
  unsigned bits;
  std::optional<Element> element;  ///< empty: can be listed but not shown
};
const SafetensorsType* findSafetensorsType(std::string_view name);

/// Reads and checks the JSON header. `data` is the offset of the byte buffer in the file, `buffer` its size. The
/// tensors keep the header's order. Rules: strict UTF-8, one object, no name twice, shapes of whole numbers, and
/// ranges that tile the buffer exactly – so a small file can never describe more than itself.
Expected<std::vector<TensorEntry>> parseSafetensorsHeader(std::string_view text, std::uint64_t data,
                                                          std::uint64_t buffer, std::string_view file);

}  // namespace posiscope::files

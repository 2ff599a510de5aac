// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace posiscope::fuzz {

/// A file in memory with these bytes; the next call replaces it. The readers want a path, a disk would be slow.
std::string memoryFile(const std::uint8_t* bytes, std::size_t size);

/// Ends the program, as a crash would, when what must hold does not.
void require(bool holds, const char* what);

}  // namespace posiscope::fuzz

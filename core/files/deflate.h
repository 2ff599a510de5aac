// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace posiscope::files {

/// Packed as a zlib stream (RFC 1950).
std::string deflated(std::string_view bytes);
/// What was packed; nothing when it is no such stream, or unpacks to more than `most` bytes.
std::optional<std::string> inflated(std::string_view packed, std::size_t most);

}  // namespace posiscope::files

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace posiscope::files {

/// "<file>: <field> must be <allowed>, got <found>", in both languages. `file` and `found` may hold anything:
/// they are escaped here.
tl::unexpected<Error> refuse(ErrorCode code, std::string_view file, const Text& field, const Text& allowed,
                             std::string_view found);
/// The same for a finding that has its own words in both languages.
tl::unexpected<Error> refuse(ErrorCode code, std::string_view file, const Text& field, const Text& allowed,
                             const Text& found);

/// A text that is the same in every language: a key of the file, a number.
Text same(std::string_view text);

/// Text from a file as a person can safely see it: control characters, bidirectional overrides and invalid UTF-8
/// become \u{…} or \x.., and more than `most` bytes are elided.
std::string escaped(std::string_view text, std::size_t most = 80);

/// Well-formed UTF-8 without overlong forms and surrogates.
bool isUtf8(std::string_view text);

}  // namespace posiscope::files

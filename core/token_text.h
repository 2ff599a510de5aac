// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace posiscope {

/// A typed sentence as tokens: words between white space; each Chinese or Japanese character and each
/// full-width punctuation mark is a token of its own, as such text has no spaces. Bytes that are no UTF-8 stay in
/// their word. No tokenizer of any model: only what a person reads as units.
std::vector<std::string> splitTokens(std::string_view text);

/// A text file without the byte order mark that some editors put before UTF-8.
std::string_view withoutMark(std::string_view text);

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope {

/// The names most like `word`, best first, at most three; empty when none is close. Close are names that contain the
/// word or stand in it; then those at the smallest distance in letters added, left out, replaced or swapped with their
/// neighbour: at most 2 of them, fewer in short words, more in long ones.
std::vector<std::string> nearNames(std::string_view word, const std::vector<std::string>& names);

/// The name that `word` is with a slip of the hand: one letter from it, or two in names of eight letters and more.
/// None where two names are as near, and none for words of fewer than five letters.
std::optional<std::string> slipOf(std::string_view word, const std::vector<std::string>& names);

/// How a sentence about an unknown name ends: "; did you mean rope? Known: none, rope" or "; known: none, rope".
Text knownNames(std::string_view word, const std::vector<std::string>& names);

/// The items with `separator` between them.
std::string listed(const std::vector<std::string>& items, std::string_view separator = ", ");

}  // namespace posiscope

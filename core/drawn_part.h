// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace posiscope {

/// Where part (head) `part` of a drawn array [parts, tokens, width] begins in its stream, as an example number. Parts
/// lie so far apart that none depends on the number of tokens: the first tokens of a longer sequence are those of a
/// shorter one, in every head.
constexpr std::int64_t firstOfPart(std::int64_t part) { return part << 40; }

}  // namespace posiscope

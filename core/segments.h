// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace posiscope {

/// What a flagged token does to segments: it is the last one of its own, or the first one of a new one.
enum class SegmentRule { end, start };

/// The number of every token's segment, from 0. `end`: flags strictly before the token; `start`: flags at tokens 1 up
/// to it (a flag on token 0 opens nothing).
std::vector<std::int64_t> segmentIds(const std::vector<bool>& flags, SegmentRule rule);

/// Positions that restart in each segment: the distance to the segment's first token.
std::vector<std::int64_t> restartIds(const std::vector<std::int64_t>& segments);

}  // namespace posiscope

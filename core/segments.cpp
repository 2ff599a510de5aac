// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/segments.h"

namespace posiscope {

std::vector<std::int64_t> segmentIds(const std::vector<bool>& flags, SegmentRule rule) {
  std::vector<std::int64_t> ids(flags.size());
  for (std::size_t i = 1; i < flags.size(); ++i)
    ids[i] = ids[i - 1] + (flags[rule == SegmentRule::end ? i - 1 : i] ? 1 : 0);
  return ids;
}

std::vector<std::int64_t> restartIds(const std::vector<std::int64_t>& segments) {
  std::vector<std::int64_t> ids(segments.size());
  for (std::size_t i = 1; i < segments.size(); ++i) ids[i] = segments[i] == segments[i - 1] ? ids[i - 1] + 1 : 0;
  return ids;
}

}  // namespace posiscope

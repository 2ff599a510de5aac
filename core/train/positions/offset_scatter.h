// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

namespace posiscope::train::positions {

/// Offsets j − i, clipped to ±reach and counted from 0: 2·reach + 1 classes. Along a row of keys they lie as a run of
/// the first class, the classes in between one each, and a run of the last.
struct ClippedOffsets {
  std::int64_t reach = 0;

  std::int64_t classes() const { return 2 * reach + 1; }
  std::int64_t of(std::int64_t i, std::int64_t j) const { return std::clamp(j - i, -reach, reach) + reach; }
};

/// row[j] += factor · of_class[class of (i, j)] for the first `seen` keys.
template <class T>
void spreadClasses(const ClippedOffsets& offsets, std::int64_t i, std::int64_t seen, T factor, const T* of_class,
                   T* row) {
  for (std::int64_t j = 0; j < seen; ++j) row[j] += factor * of_class[offsets.of(i, j)];
}

/// of_class[class of (i, j)] += factor · row[j].
template <class T>
void gatherClasses(const ClippedOffsets& offsets, std::int64_t i, std::int64_t seen, T factor, const T* row,
                   T* of_class) {
  for (std::int64_t j = 0; j < seen; ++j) of_class[offsets.of(i, j)] += factor * row[j];
}

}  // namespace posiscope::train::positions

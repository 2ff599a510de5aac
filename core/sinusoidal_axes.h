// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sinusoidal.h"

#include <cstdint>
#include <vector>

namespace posiscope {

/// Where the sines and cosines of several axes stand in the row. Blocks follow the order of the axes.
enum class AxesColumns {
  concatenated,  ///< axis by axis, its sines and then its cosines (MAE)
  interleaved,   ///< axis by axis, each sine beside its cosine (DETR)
  grouped,       ///< the sines of every axis, then the cosines of every axis (timm)
};

struct SinusoidalAxes {
  AxesColumns columns = AxesColumns::concatenated;
  SinusoidalFrequencies frequencies = SinusoidalFrequencies::paper;
  double base = 10000;
};

/// Frequencies of one axis, ⌊width / (2·axes)⌋; 0 when the width is too small for a sine and a cosine of each axis.
std::int64_t frequenciesPerAxis(std::int64_t width, std::int64_t axes);

/// [tokens, width]: the sines and cosines of `coordinates`[axis][token], q of each per axis with the frequencies
/// b^(−i/q) or, endpoint, b^(−i/(q−1)). Columns left over at the end are zero. Coordinates are any real numbers; the
/// caller has checked the memory.
template <class T>
Table<T> sinusoidalAxesTable(const SinusoidalAxes& params, const std::vector<std::vector<double>>& coordinates,
                             std::int64_t width);

}  // namespace posiscope

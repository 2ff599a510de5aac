// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace posiscope {

/// Where a pair's sine and cosine stand in the row.
enum class SinusoidalColumns { interleaved, concatenated };

/// b^(−2i/d) of the paper, or b^(−i/(h−1)), h = ⌊d/2⌋, of its authors' code, which ends exactly at wavelength 2πb.
enum class SinusoidalFrequencies { paper, endpoint };

struct SinusoidalParams {
  SinusoidalColumns columns = SinusoidalColumns::interleaved;
  SinusoidalFrequencies frequencies = SinusoidalFrequencies::paper;
  double base = 10000;
  double scale = 1;  ///< multiplies the table
};

/// Radians per token, one for each sine column: ⌈d/2⌉ (paper) or ⌊d/2⌋ (endpoint).
std::vector<double> sinusoidalFrequencies(const SinusoidalParams& params, std::int64_t d_model);

/// The column of frequency i's sine and cosine; −1 when the row has no such column (odd widths).
std::int64_t sineColumn(const SinusoidalParams& params, std::int64_t d_model, std::int64_t i);
std::int64_t cosineColumn(const SinusoidalParams& params, std::int64_t d_model, std::int64_t i);

/// The term of a column at a position: "sin(412 · 0.0135)"; "0" for the column without one.
std::string sinusoidalTerm(const SinusoidalParams& params, const std::vector<double>& frequencies, std::int64_t d_model,
                           double position, std::int64_t column);

/// One row of the table at any real position. `frequencies` from `sinusoidalFrequencies`; out has d_model values.
template <class T>
void sinusoidalRow(const SinusoidalParams& params, const std::vector<double>& frequencies, double position,
                   std::span<T> out);

/// Rows at first_position, first_position + 1, …; [rows, d_model]. The caller has checked the memory.
template <class T>
Table<T> sinusoidalTable(const SinusoidalParams& params, std::int64_t rows, std::int64_t d_model,
                         double first_position);

}  // namespace posiscope

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

/// The term of a column at a position, with the power its frequency is: "sin(412 · 0.1), 0.1 = 10000^(−2/8)"; "0" for
/// the column without one.
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

/// The same table as part of an encoding: stored up to `storedTableLimit()`; above, its rows are made when they are
/// asked for, to the same numbers. `bytes` is what that takes.
template <class T>
InputPart<T> sinusoidalInput(const SinusoidalParams& params, std::int64_t rows, std::int64_t d_model,
                             double first_position);
template <class T>
double sinusoidalBytes(std::int64_t rows, std::int64_t d_model);

/// Bytes up to which a table made by a formula is stored, 64 MiB at first: so much is filled in about 50 ms, and six
/// schemes of it still leave room. A row that is not stored costs O(d_model), less than what is then done with it.
double storedTableLimit();
void setStoredTableLimit(double bytes);

}  // namespace posiscope

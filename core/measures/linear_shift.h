// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/job.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace posiscope::measures {

/// A pair of columns (a, b) that turns by w a token: a(p + k) = a·cos(kw) + sign·b·sin(kw) and b(p + k) = b·cos(kw) −
/// sign·a·sin(kw). A sine before its cosine has the sign 1; a rotated query has −1.
struct WaveColumns {
  std::int64_t first = 0;
  std::int64_t second = 0;
  std::int64_t pair = 0;
  double frequency = 0;  ///< radians per token
  double sign = 1;
};

/// Where the waves of an added table stand, found from its numbers; nothing when it is not made of whole sine-cosine
/// pairs, in neighbouring columns or in two halves.
std::optional<std::vector<WaveColumns>> waveColumns(const InputPart<float>& input);

/// A row of the shift matrix of waves: all else is 0.
struct ShiftRow {
  double diagonal = 1;
  double cross = 0;
  double sign = 1;            ///< of the sine that `cross` is
  std::int64_t partner = -1;  ///< the column of `cross`; −1 = a column that is no wave and stays as it is
  std::int64_t pair = -1;
};
/// M_k of these waves among `dim` columns.
std::vector<ShiftRow> turnedRows(const std::vector<WaveColumns>& columns, std::int64_t dim, double k);

/// Largest |M·P(p) − P(p + k)| of any entry, over all rows or 16 384 spread ones. Nothing when the job was stopped.
std::optional<double> shiftError(const InputPart<float>& input, const std::vector<ShiftRow>& rows, std::int64_t k,
                                 const Job& job);

/// The least-squares M of any added table, fitted to every second row that has a successor k tokens on (up to 512 of
/// them, 128 of a draft) and tried on the rows between.
struct FittedShift {
  std::vector<float> matrix;  ///< [d, d]
  std::int64_t possible = 0;  ///< rows that have a successor, both of finite numbers
  std::int64_t left_out = 0;  ///< rows of the table that hold NaN or infinite numbers
  std::int64_t fitted = 0;
  std::int64_t tested = 0;
  double residual = 0;  ///< ‖M·P(p) − P(p + k)‖ over the tried rows, divided by ‖P(p + k)‖
  bool draft = false;
};
/// How many rows that reads, some of them twice.
std::int64_t rowsOfFit(const InputPart<float>& input, std::int64_t k, bool draft);
/// O(rows²·d + rows·d²) in parallel, the same on any number of threads; no matrix where no row can be fitted. Nothing
/// when the job was stopped.
std::optional<FittedShift> fitShift(const InputPart<float>& input, std::int64_t k, bool draft, const Job& job);

}  // namespace posiscope::measures

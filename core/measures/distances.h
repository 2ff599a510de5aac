// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/job.h"

#include <cstdint>
#include <span>
#include <vector>

namespace posiscope::measures {

/// How well positions can be told apart, in every way the pictures need it. Distances are Euclidean.
struct Distances {
  std::vector<double> by_offset;  ///< [rows]: smallest ‖P_i − P_{i−n}‖ over i, n = 0 … rows − 1; 0 first
  std::vector<std::int64_t> found_at;  ///< [rows]: the first i that has it
  std::vector<double> by_row;          ///< [rows]: distance to the nearest other row
  std::vector<std::int64_t> nearest;   ///< [rows]: the first such row
};

/// ‖P_{p+n} − P_p‖ = 2·√(Σ sin²(n·w_p/2)) at n = 0 … count − 1 for rows of unit sines and cosines: the form that does
/// not cancel. In parallel, the same on any number of threads. Empty when the job was stopped.
std::vector<double> offsetDistances(std::span<const double> frequency, std::int64_t count, const Job& job);

/// Of rows whose distance depends on the offset only, from that curve (at least two entries).
Distances distancesByOffset(std::vector<double> curve);

/// Of any two rows or more, all compared with all by blocked products in double. Where several rows are equally near
/// within its roundoff, either may be named; the distances of those named are exact. O(rows²·cols) in parallel, the
/// same on any number of threads. Empty vectors when the job was stopped.
Distances distancesOf(const Table<double>& rows, const Job& job);

/// How many rows of that width `distancesOf` compares within a few seconds.
std::int64_t comparableRows(std::int64_t cols);

}  // namespace posiscope::measures

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/job.h"

#include <cstdint>
#include <span>
#include <vector>

namespace posiscope::measures {

/// In double, so that the order of the table's columns does not show.
double dot(std::span<const float> a, std::span<const float> b);

/// P_i·P_j of the first n rows of the added table, [n, n]; cosine: divided by both norms, 0 where a row is 0. Exactly
/// symmetric. Empty when the job was stopped.
std::vector<float> selfProducts(const InputPart<float>& input, std::int64_t n, bool cosine, const Job& job);
/// How many rows that reads, each of them as often as it is needed: they are not kept.
std::int64_t rowsOfProducts(std::int64_t n);

/// Is the table made of whole sine-cosine pairs? Then P_i·P_j depends on i − j only.
bool isToeplitz(const InputPart<float>& input);
/// P_i·P_{i+n} at n = 0 … rows − 1 of such a table. Empty when the job was stopped.
std::vector<double> tableProfile(const InputPart<float>& input, const Job& job);

/// P_i·P_{i+n} averaged over the rows i that have one, n = 0 … rows − 1, over all rows or over evenly spread ones
/// when there are too many. Empty when the job was stopped. Pairs whose product is NaN or infinite are left out; NaN
/// where none is left.
struct MeanProducts {
  std::vector<double> mean;
  std::int64_t sampled_rows = 0;  ///< how many i were looked at
  std::int64_t left_out = 0;      ///< pairs whose product is not finite
};
MeanProducts meanProducts(const InputPart<float>& input, const Job& job);
/// About how many rows that reads.
std::int64_t rowsOfMeans(const InputPart<float>& input);

}  // namespace posiscope::measures

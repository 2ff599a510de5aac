// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace posiscope {

/// How queries are scaled by their own position, against attention that spreads out over long inputs.
enum class QueryScaling {
  llama4,      ///< 1 + a·ln(1 + floor((p + 1)/F))
  ministral3,  ///< 1 + a·ln(1 + floor(p/F)), without the + 1
  logn,        ///< max(1, ln(p + 1)/ln L)
};

struct QueryScalingParams {
  QueryScaling kind = QueryScaling::llama4;
  double floor_scale = 8192;   ///< F, in tokens; Ministral's original length
  double attn_scale = 0.1;     ///< a; Ministral's β
  double train_length = 2048;  ///< L above 1, in tokens
};

/// The factor on the query at position p; never below 1, and 1 for positions below 0.
double queryFactor(const QueryScalingParams& params, double position);

/// The same for consecutive positions from `first`.
std::vector<double> queryFactors(const QueryScalingParams& params, double first, std::int64_t count);

}  // namespace posiscope

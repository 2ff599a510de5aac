// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/error.h"
#include "core/sampling.h"

#include <cstdint>

namespace posiscope::schemes {

enum class LearnedInitial { normal, truncated_normal, truncated_absolute, truncated_rescaled, file };
enum class LearnedResample { none, linear, cubic };
enum class LearnedAlong { sequence, grid };

struct LearnedParams {
  LearnedInitial initial = LearnedInitial::normal;
  double std = 0.02;
  double cut = 2;
  std::int64_t max_positions = 1024;  ///< rows of a drawn table, those in front included
  std::int64_t seed = 1;
  Array table;
  std::int64_t position_offset = 0;  ///< rows in front that no position uses
  LearnedResample resample = LearnedResample::none;
  LearnedAlong resample_along = LearnedAlong::sequence;
  bool antialias = false;
  bool align_corners = false;
  std::int64_t prefix_tokens = 0;  ///< rows that resampling keeps as they are
  std::int64_t table_height = 0;   ///< the grid of the table's patches; 0 and 0 = square
  std::int64_t table_width = 0;
};

/// How a table that is not given is drawn.
Draw drawOf(const LearnedParams& params);

/// Every position asked for must have a row, never wrapped and never clamped; a table that is resampled must fit its
/// grid. The table's width has been checked. Errors: past_table, bad_shape, bad_value.
Outcome checkLearnedRows(const LearnedParams& params, const Shape& shape);

/// The rows of the shape's positions, [seq_len, d_model]; after `checkLearnedRows` and a check of the memory.
template <class T>
Table<T> learnedRows(const LearnedParams& params, const Shape& shape);

}  // namespace posiscope::schemes

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/grid.h"

#include <cstdint>
#include <vector>

namespace posiscope {

enum class Interpolation { linear, cubic };

/// How a trained table is read at places between its rows; the rules of PyTorch's `interpolate`.
struct Resampling {
  Interpolation kernel = Interpolation::linear;
  /// Cubic with a = −0.5 instead of −0.75, a support widened when shrinking, weights outside the table cut and the
  /// rest renormalised (timm); otherwise places outside repeat the border (MAE, DeiT).
  bool antialias = false;
  /// The ends of both tables coincide; otherwise the outer edges of their half-steps do. Not with `antialias`.
  bool align_corners = false;
};

/// A row of the source and its share in one place of the result.
struct WeightedRow {
  std::int64_t row;
  double weight;
};

/// What each of the `to` places takes from `from` rows; every list's weights sum to 1. A row may occur twice.
std::vector<std::vector<WeightedRow>> resampleWeights(const Resampling& rule, std::int64_t from, std::int64_t to);

/// [from, width] → [to, width] along the rows.
Table<double> resampleRows(const Resampling& rule, Rows<double> table, std::int64_t to);

/// Row-major patches of one grid, [from.patches(), width], → patches of another: the rule along both axes.
Table<double> resampleGrid(const Resampling& rule, Rows<double> table, const Grid& from, const Grid& to);

}  // namespace posiscope

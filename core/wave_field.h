// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field.h"

#include <functional>
#include <memory>
#include <vector>

namespace posiscope {

/// A column of a table of cosines or sines: its angle at row r is phase + r · step, radians. A sine says so and is not
/// a cosine a quarter turn later: that of 0 is 0, not 6e-17.
struct Wave {
  double phase = 0;
  double step = 0;
  double amplitude = 1;
  bool sine = false;

  double valueOf(double angle) const;  ///< amplitude left out
};

/// A table computed when asked, column c being `factor` · amplitude · cos or sin of waves[c]. Four cells of hundreds
/// under a pixel would show stripes that are not there; the mean of all cells under a pixel has a closed form. `value`
/// gives a single cell, with the rounding of whoever computes it elsewhere; pure.
std::shared_ptr<const Field> waveField(std::int64_t rows, std::vector<Wave> waves, double factor,
                                       std::function<float(std::int64_t, std::int64_t)> value);

/// The same over a field that gives single cells and every other reduction.
std::shared_ptr<const Field> waveField(std::shared_ptr<const Field> cells, std::vector<Wave> waves, double factor);

/// Is a sample's mean that of all its cells, and not of a few of them?
bool averagesAll(const Field& field);

}  // namespace posiscope

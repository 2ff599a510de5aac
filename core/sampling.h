// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/random.h"

#include <cstdint>
#include <vector>

namespace posiscope {

/// Φ, the cumulative distribution of the standard normal.
double normalCdf(double x);

/// Φ⁻¹ for 0 ≤ u ≤ 1, to about 1e-15 relative; −∞ and +∞ at the ends.
double normalQuantile(double u);

/// The value of a standard normal restricted to [low, high] at cumulative probability u in [0, 1]. Not stretched
/// afterwards: with ±2 the standard deviation is 0.8796, as in BERT.
double truncatedNormalQuantile(double u, double low, double high);

/// Draw `e` of a stream as a standard normal restricted to [low, high].
double truncatedNormal(const Stream& stream, std::uint64_t e, double low = -2.0, double high = 2.0);

/// Three different things are called a truncated normal.
enum class Draw {
  normal,
  truncated_normal,    ///< redrawn beyond ±cut·std (TensorFlow, BERT): the real deviation is smaller
  truncated_absolute,  ///< redrawn beyond ±cut, whatever std (PyTorch): with std 0.02 an ordinary normal
  truncated_rescaled,  ///< as the first, stretched so that the deviation is std (JAX)
};

/// `count` values of a table that is not given, element e from example e of the stream "init/pe.table": the same
/// on every machine, and a longer table begins like a shorter one. `cut` is where a truncated normal ends.
std::vector<double> drawnTable(std::int64_t seed, Draw draw, double std, std::int64_t count, double cut = 2);

/// The standard deviation that such a draw really has.
double drawnDeviation(Draw draw, double std, double cut = 2);

}  // namespace posiscope

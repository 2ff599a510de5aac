// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scheme.h"
#include "core/schemes/reading.h"

namespace posiscope::schemes {

struct FireParams {
  double c = 0.1;                 ///< |c| stretches the distances inside the logarithm
  double threshold_length = 512;  ///< L: queries up to here share one normaliser, in tokens
  std::int64_t width = 32;        ///< of the network
  double epsilon = 1e-6;
  Reading reading = Reading::symmetric;
  Array w1, b1;  ///< (width, 1), (width,)
  Array w2, b2;  ///< (heads, width), (heads,)
  std::int64_t seed = 1;
};

/// ψ(x) = ln(|c|·x + 1).
double fireLog(const FireParams& params, double x);

/// What the network sees for a query at position p and a key at this distance, ψ(distance) / (ψ(max(p, L)) + ε):
/// 0 … 1 for the past.
double fireInput(const FireParams& params, double position, double distance);

/// A small network of the progressively normalised log-distance (Li et al. 2023).
Scheme fire();

}  // namespace posiscope::schemes

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace posiscope {

/// Bases that rise by equal ratios from the first head to the last: b_h = b_min·(b_max/b_min)^(h/(H − 1)); b_min alone
/// for one head. Several resolutions in one layer.
std::vector<double> geometricBases(double base_min, double base_max, std::int64_t heads);

/// Interpolation factors that rise by equal steps from the first head to the last (Ms-PoE, Zhang et al. 2024).
std::vector<double> linearFactors(double factor_min, double factor_max, std::int64_t heads);

/// Does layer `layer` (from 0) look at everything and use the long base? Every `period`-th one does: Gemma 3 has period
/// 6 and `global_at` 5, ModernBERT 3 and 0.
bool isGlobalLayer(std::int64_t layer, std::int64_t period, std::int64_t global_at);

}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/batch.h"

#include <span>
#include <vector>

namespace posiscope::train {

/// Mean of −log softmax[target] at each position over the sequences, [length]; NaN where no sequence has a target.
std::vector<double> positionLosses(const Batch& batch, std::span<const double> row_losses);

}  // namespace posiscope::train

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/results.h"
#include "core/train/seed_band.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace posiscope::train {

enum class LengthLoss { whole, last_eighth };

/// One way to stretch an encoding beyond the trained length.
struct ScalingBand {
  std::string scaling;  ///< "none", "linear", "ntk", "yarn"
  SeedBand band;
};

/// The loss over multiples of the trained length, for each scaling that the runs of one encoding were measured with;
/// all start at 1, where a scaling changes nothing.
std::vector<ScalingBand> lengthBands(std::span<const Results* const> runs, LengthLoss loss);
/// The loss at each position (from 0) of sequences `factor` times as long.
std::vector<ScalingBand> positionBands(std::span<const Results* const> runs, double factor);
/// The loss at the longer length after so many steps of fine-tuning, for each scaling.
std::vector<ScalingBand> fineTuneBands(std::span<const Results* const> runs);
/// The least multiple of the trained length at which one of them could not be run as it was trained; nothing where all
/// could.
std::optional<double> refusedFrom(std::span<const Results* const> runs);

}  // namespace posiscope::train

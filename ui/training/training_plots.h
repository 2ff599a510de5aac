// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/length_band.h"
#include "ui/charts/plot.h"
#include "ui/training/training_service.h"

#include <string>

namespace posiscope::ui {

/// How the curves over the steps are drawn.
struct StepLook {
  bool log_steps = false;
  bool log_values = false;
  std::int64_t window = 1;  ///< steps whose mean is drawn; 1 = every step
};

/// A quantity over the steps: for each encoding the mean over its seeds in the band from least to largest, with the
/// lines that give it a scale.
Plot quantityPlot(const Training& training, train::Quantity quantity, const StepLook& look, const Style& style);
/// Heads of a kind over the steps.
Plot kindPlot(const Training& training, const std::string& kind, const StepLook& look, const Style& style);

/// The loss over multiples of the trained length, the scalings of a rotation as lines of their own.
Plot lengthPlot(const Training& training, train::LengthLoss loss, bool log_values, const Style& style);
/// The loss at the longer length over the steps of fine-tuning.
Plot fineTunePlot(const Training& training, bool log_values, const Style& style);
/// The loss at each position of sequences `factor` times as long; the trained length is marked.
Plot positionPlot(const Training& training, double factor, bool log_values, const Style& style);

}  // namespace posiscope::ui

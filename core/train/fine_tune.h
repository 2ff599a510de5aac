// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"
#include "core/train/run.h"

#include <string>
#include <vector>

namespace posiscope::train {

/// The evaluation at the longer length after so many steps of fine-tuning; 0 = the weights as they were.
struct FineTunePoint {
  std::int64_t step = 0;
  double loss = 0;
  double accuracy = 0;
  double last_eighth = 0;
};

struct FineTuneCurve {
  std::string scaling;  ///< "none", "linear", "ntk", "yarn"
  std::vector<FineTunePoint> points;
  Text refused;  ///< why there are no points
};

/// A short training at the longer length that the run's spec asks for (`fine_tune`), once for each way to stretch the
/// encoding, always from the same weights; `trained` stays as it is. Evaluated after 0, 10, 25, 50, 100, 250 … steps
/// and at the end. Nothing when no steps are asked for. Errors: cancelled.
Expected<std::vector<FineTuneCurve>> fineTune(const TrainingRun& trained, const Job& job);

}  // namespace posiscope::train

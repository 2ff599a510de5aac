// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "core/measure.h"

#include <vector>

namespace posiscope::measures {

/// Adds a warning where a trained model is the content and the question's scheme pairs the dimensions otherwise than
/// the model's weights are stored for: the model then reads every position wrongly, and the numbers say nothing of it.
void warnOfPairing(std::vector<Remark>& remarks, const Question& question);

}  // namespace posiscope::measures

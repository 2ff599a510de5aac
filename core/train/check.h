// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/train/batch.h"
#include "core/train/model_spec.h"

namespace posiscope::train {

/// Sizes that a model can have. Errors: out_of_range, bad_shape.
Outcome checkModel(const ModelSpec& spec);

/// A batch that the model can read: as many tokens and targets as it says, the grid makes up the length.
/// Errors: bad_shape.
Outcome checkBatch(const ModelSpec& spec, const Batch& batch);

}  // namespace posiscope::train

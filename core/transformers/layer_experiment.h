// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment.h"
#include "core/transformers/forward.h"

namespace posiscope::transformers {

/// The question whose attention is that of one layer of a run: its q, k and v as arrays, the model's mask, and the
/// model's encoding where that acts after the projections. Where position entered at the input it is in q and k
/// already, so the encoding is `none`. `layer` was traced with its projections. Error: those of the scheme.
Expected<Experiment> layerExperiment(const Model& model, const Prompt& prompt, const LayerTrace<double>& layer);

}  // namespace posiscope::transformers

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment.h"
#include "core/models/config_reader.h"
#include "core/models/family.h"
#include "core/models/reason.h"

namespace posiscope::models {

/// The rotary scheme of a configuration and the length its frequencies were trained at.
struct RopeConfig {
  SchemeChoice scheme;
  double original_length = 0;  ///< 0: the file names none
};

/// Reads base, rotated share, pairing and scaling, from rope_parameters (new files), rope_scaling (old) or the root.
/// `max_length`: max_position_embeddings, 0 = not known. A scaling this version does not compute becomes a note and
/// the rotation is unscaled.
RopeConfig readRope(const ConfigReader& root, const ModelFamily& family, double max_length, Reason& reason);

}  // namespace posiscope::models

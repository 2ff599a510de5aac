// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/trainable.h"

namespace posiscope::train::positions {

Trainable none();
Trainable sinusoidal();
Trainable learned();
Trainable rope();
Trainable t5Log();
Trainable alibi();
Trainable shaw();
Trainable transformerXl();
Trainable kerple();
Trainable fire();
Trainable cope();
Trainable hybrid();
Trainable layerwise();
Trainable dynamic();
Trainable learned2d();
Trainable sinusoidal2d();
Trainable conditional();

}  // namespace posiscope::train::positions

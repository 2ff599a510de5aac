// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scheme.h"
#include "core/screen_number.h"

#include <cmath>

namespace posiscope::schemes {

/// The scale of the logits unless a scheme's own paper says otherwise.
inline double rootScale(const Shape& shape) { return 1.0 / std::sqrt(static_cast<double>(shape.head_dim)); }

// One function a file of this folder; list.cpp puts them in order.
Scheme none();
Scheme sinusoidal();
Scheme scaledSinusoidal();
Scheme learned();
Scheme sinusoidal2d();
Scheme learned2d();
Scheme sinusoidalNd();
Scheme fourier();
Scheme rope();
Scheme xpos();
Scheme rope2d();
Scheme ropeMixed();
Scheme mrope();
Scheme ropeDecoupled();
Scheme layerPattern();
Scheme t5Simple();
Scheme t5Log();
Scheme alibi();
Scheme rerope();
Scheme leakyRerope();
Scheme selfExtend();
Scheme dualChunk();
Scheme queryScale();
Scheme positionIds();
Scheme fope();
Scheme pope();
Scheme path();
Scheme forgetGate();
Scheme cope();
Scheme own();
Scheme relativeKey();
Scheme relativeKeyQuery();
Scheme kerple();
Scheme sandwich();
Scheme dynamicMlpBias();
Scheme embeddingSum();
Scheme fusion();
Scheme hybrid();
Scheme layerwise();
Scheme sparse();
Scheme conditional();

}  // namespace posiscope::schemes

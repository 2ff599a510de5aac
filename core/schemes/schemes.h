// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scheme.h"
#include "core/screen_number.h"

#include <cmath>

namespace posiscope::schemes {

/// The scale of the logits unless a scheme's own paper says otherwise.
inline double rootScale(const Shape& shape) { return 1.0 / std::sqrt(static_cast<double>(shape.head_dim)); }

// One function a file of this folder.
#define SCHEME(name) Scheme name();
#include "core/schemes/list.def"
#undef SCHEME

}  // namespace posiscope::schemes

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/kernels/kernels.h"

namespace posiscope::train {

/// The copies for AVX2 and FMA; null where the compiler has no such thing. Only for a processor that has both.
const Kernels<float>* wideSingle();
const Kernels<double>* wideDouble();

}  // namespace posiscope::train

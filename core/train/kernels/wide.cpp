// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compiled for AVX2 and FMA. Nothing here may be called, and no template of others instantiated, that the rest of the
// program uses too: the linker would keep one copy for both.
#define Eigen EigenForAvx2
#include "core/train/kernels/kernels_impl.h"
#undef Eigen

#include "core/train/kernels/wide.h"

namespace posiscope::train {

#if defined(__AVX2__) && defined(__FMA__)
const Kernels<float>* wideSingle() { return &all<float>; }
const Kernels<double>* wideDouble() { return &all<double>; }
#else
const Kernels<float>* wideSingle() { return nullptr; }
const Kernels<double>* wideDouble() { return nullptr; }
#endif

}  // namespace posiscope::train

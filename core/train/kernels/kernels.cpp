// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#define Eigen EigenForTraining
#include "core/train/kernels/kernels_impl.h"
#undef Eigen

#include "core/train/kernels/wide.h"

namespace posiscope::train {
namespace {

bool isWide() {
#if defined(__x86_64__)
  static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return wide && wideSingle();
#else
  return false;
#endif
}

}  // namespace

template <>
const Kernels<float>& kernels<float>() {
  return isWide() ? *wideSingle() : all<float>;
}
template <>
const Kernels<double>& kernels<double>() {
  return isWide() ? *wideDouble() : all<double>;
}

const char* kernelName() { return isWide() ? "avx2+fma" : "baseline"; }

}  // namespace posiscope::train

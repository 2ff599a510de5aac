// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Before a function of plain loops: it is compiled once for every processor and once each for x86-64-v3 and v4, and
/// the loader takes the best that the machine can run. The results differ by rounding only. Not with the sanitizers,
/// whose own start comes after the loader's choice, and not with clang 14, which does not know these names.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define POSISCOPE_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define POSISCOPE_CLONES
#endif

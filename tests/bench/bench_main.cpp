// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/slider_to_paint.h"

#include <benchmark/benchmark.h>

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
#ifdef POSISCOPE_BENCH_UI
  return posiscope::bench::runWithWindow(argc, argv);
#else
  benchmark::RunSpecifiedBenchmarks();
  return 0;
#endif
}

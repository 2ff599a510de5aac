// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Tables from formulas. Each answer is compared with a plain loop in double before anything is timed.
#include "core/bench/limits.h"
#include "core/job.h"
#include "core/measures/list.h"
#include "core/sinusoidal.h"

#include <benchmark/benchmark.h>

#include <cmath>

namespace posiscope {
namespace {

double sinusoidalValue(std::int64_t position, std::int64_t column, std::int64_t width) {
  const auto pair = static_cast<double>(column / 2);
  const double angle = static_cast<double>(position) * std::pow(10000.0, -2 * pair / static_cast<double>(width));
  return column % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

void sinusoidal(benchmark::State& state) {
  const std::int64_t rows = state.range(0), width = state.range(1);
  const Table<float> table = sinusoidalTable<float>({}, rows, width, 0);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t d = 0; d < width; ++d)
      if (std::abs(static_cast<double>(table.row(i)[static_cast<std::size_t>(d)]) - sinusoidalValue(i, d, width)) >
          1e-6)
        return state.SkipWithError("wrong value in the sinusoidal table");
  for (auto _ : state) benchmark::DoNotOptimize(sinusoidalTable<float>({}, rows, width, 0));
  state.SetItemsProcessed(state.iterations() * rows * width);
}
BENCHMARK(sinusoidal)
    ->Args({512, 512})
    ->Args({4096, 1024})
    ->Args({131072, 128})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void sinusoidalNaive(benchmark::State& state) {
  const std::int64_t rows = state.range(0), width = state.range(1);
  std::vector<float> table(static_cast<std::size_t>(rows * width));
  for (auto _ : state) {
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t d = 0; d < width; ++d)
        table[static_cast<std::size_t>(i * width + d)] = static_cast<float>(sinusoidalValue(i, d, width));
    benchmark::DoNotOptimize(table.data());
  }
  state.SetItemsProcessed(state.iterations() * rows * width);
}
BENCHMARK(sinusoidalNaive)
    ->Args({512, 512})
    ->Args({4096, 1024})
    ->Args({131072, 128})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// What writing a table costs, whatever stands in it.
void tableMemset(benchmark::State& state) {
  bench::Floats table(static_cast<std::size_t>(state.range(0) * state.range(1)));
  for (auto _ : state) {
    bench::fillWithMemset(table);
    benchmark::DoNotOptimize(table.data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0) * state.range(1));
}
BENCHMARK(tableMemset)
    ->Args({512, 512})
    ->Args({4096, 1024})
    ->Args({131072, 128})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

Question ropeTable(std::int64_t rows, std::int64_t head_dim) {
  Question question;
  question.measure = "position_table";
  question.scheme.id = "rope";
  question.shape.seq_len = rows;
  question.shape.head_dim = head_dim;
  return question;
}

// The rotary cos and sin tables as the window asks for them.
void ropeCosSin(benchmark::State& state) {
  const Measure* measure = measures::find("position_table");
  const Question question = ropeTable(state.range(0), state.range(1));
  const Expected<Dataset> first = measure->compute(question, Job());
  if (!first) return state.SkipWithError(first.error().message.en.c_str());
  for (const Map& map : first->maps) {
    if (map.key != "cos" && map.key != "sin") continue;
    for (std::int64_t i = 0; i < map.field->rows(); ++i)
      for (std::int64_t p = 0; p < state.range(1) / 2; ++p) {
        const double angle = static_cast<double>(i) *
                             std::pow(10000.0, -2 * static_cast<double>(p) / static_cast<double>(state.range(1)));
        const double right = map.key == "cos" ? std::cos(angle) : std::sin(angle);
        if (std::abs(static_cast<double>(map.field->at(i, p)) - right) > 1e-6)
          return state.SkipWithError("wrong value in the rotary table");
      }
  }
  for (auto _ : state) benchmark::DoNotOptimize(measure->compute(question, Job()));
}
BENCHMARK(ropeCosSin)->Args({512, 64})->Args({4096, 128})->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Sequences of 2^20 tokens: what depends on the offset only, and windows of maps that nobody could store. Checked
// against the formulas in double before anything is timed.
#include "core/measures/list.h"
#include "core/slopes.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace posiscope {
namespace {

constexpr std::int64_t tokens = 1 << 20;

Question questionOf(const char* measure, const char* scheme) {
  Question question;
  question.measure = measure;
  question.scheme.id = scheme;
  question.shape.seq_len = tokens;
  question.shape.d_model = 128;
  question.shape.head_dim = 64;
  return question;
}

Expected<Dataset> ask(const Question& question) { return measures::find(question.measure)->compute(question, Job()); }

/// Is it the formula's value, but for rounding?
bool agrees(double found, double right) { return std::abs(found - right) <= 2e-5 * std::max(1.0, std::abs(right)); }

double meanCosine(double offset, std::int64_t width) {
  double sum = 0;
  for (std::int64_t p = 0; p < width / 2; ++p)
    sum += std::cos(offset * std::pow(10000.0, -2 * static_cast<double>(p) / static_cast<double>(width)));
  return sum / static_cast<double>(width / 2);
}

/// Changes the base or the slopes a little from run to run: what is remembered of an earlier run must not answer.
void timeFresh(benchmark::State& state, Question question, const char* key, double start) {
  double value = start;
  for (auto _ : state) {
    question.scheme.values[key] = value += 1e-3;
    benchmark::DoNotOptimize(ask(question));
  }
}

void decayOffsets(benchmark::State& state) {
  const Question question = questionOf("relative_decay", "rope");
  const Expected<Dataset> first = ask(question);
  if (!first) return state.SkipWithError(first.error().message.en.c_str());
  const std::vector<double>& y = first->curves.front().y;
  if (y.size() != static_cast<std::size_t>(tokens)) return state.SkipWithError("not every offset is there");
  for (std::size_t n = 0; n < y.size(); n += 1009)
    if (!agrees(y[n], meanCosine(static_cast<double>(n), 64))) return state.SkipWithError("wrong decay");
  timeFresh(state, question, "base", 10000);
}
BENCHMARK(decayOffsets)->Unit(benchmark::kMillisecond)->UseRealTime();

void decayOffsetsNaive(benchmark::State& state) {
  std::vector<double> steps, y(static_cast<std::size_t>(tokens));
  for (int p = 0; p < 32; ++p) steps.push_back(std::pow(10000.0, -2.0 * p / 64));
  for (auto _ : state) {
    for (std::size_t n = 0; n < y.size(); ++n) {
      double sum = 0;
      for (const double step : steps) sum += std::cos(static_cast<double>(n) * step);
      y[n] = sum / 32;
    }
    benchmark::DoNotOptimize(y.data());
  }
}
BENCHMARK(decayOffsetsNaive)->Unit(benchmark::kMillisecond)->UseRealTime();

void biasOffsets(benchmark::State& state) {
  const Question question = questionOf("bias_by_offset", "alibi");
  const Expected<Dataset> first = ask(question);
  if (!first) return state.SkipWithError(first.error().message.en.c_str());
  const Field& map = *first->maps.front().field;
  if (map.cols() != tokens) return state.SkipWithError("not every offset is there");
  const std::vector<double> slopes = alibiSlopes(question.shape.num_heads);
  for (std::int64_t h = 0; h < map.rows(); ++h)
    for (std::int64_t n = 0; n < tokens; n += 1009)
      if (!agrees(static_cast<double>(map.at(h, n)), -slopes[static_cast<std::size_t>(h)] * static_cast<double>(n)))
        return state.SkipWithError("wrong bias");
  timeFresh(state, question, "max_bias", 8);
}
BENCHMARK(biasOffsets)->Unit(benchmark::kMillisecond)->UseRealTime();

/// All of it; an uneven part; a pixel for each cell.
const std::array<FieldWindow, 3> windows{
    {{0, 0, 1 << 20, 1 << 20}, {150000.5, 209715.2, 112750.1, 89621.9}, {524288, 524200, 800, 1000}}};

// Similarity of positions at 1000 × 800 pixels.
void millionWindow(benchmark::State& state) {
  const Expected<Dataset> dataset = ask(questionOf("similarity", "sinusoidal"));
  if (!dataset) return state.SkipWithError(dataset.error().message.en.c_str());
  const Field& field = *dataset->maps.front().field;
  if (field.rows() != tokens) return state.SkipWithError("not the whole map");
  std::vector<float> out(800 * 1000);
  field.sample(windows[2], 800, 1000, Reduction::mean, out);
  for (int y = 0; y < 800; y += 13)
    for (int x = 0; x < 1000; x += 13)
      if (!agrees(static_cast<double>(out[static_cast<std::size_t>(y * 1000 + x)]), 64 * meanCosine(88 + y - x, 128)))
        return state.SkipWithError("wrong similarity");
  const FieldWindow& window = windows[static_cast<std::size_t>(state.range(0))];
  for (auto _ : state) {
    field.sample(window, 800, 1000, Reduction::mean, out);
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(millionWindow)->Arg(0)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sinusoidal.h"

#include "core/parallel.h"
#include "core/screen_number.h"

#include <algorithm>
#include <cmath>

namespace posiscope {
namespace {

/// Rows between two exact evaluations. Inside, a row is the one before turned by one token's angle, which costs
/// four products instead of a sine and a cosine; 15 turns add at most 3e-15.
constexpr std::int64_t turned_rows = 16;

using Column = std::vector<double>;

/// The sines and cosines of one position.
struct Phases {
  Column sine, cosine;

  Phases(const Column& frequencies, double position) : sine(frequencies.size()), cosine(frequencies.size()) {
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      sine[i] = std::sin(position * frequencies[i]);
      cosine[i] = std::cos(position * frequencies[i]);
    }
  }
  /// On by the angles of `step`.
  void turn(const Phases& step) {
    for (std::size_t i = 0; i < sine.size(); ++i) {
      const double s = sine[i] * step.cosine[i] + cosine[i] * step.sine[i];
      cosine[i] = cosine[i] * step.cosine[i] - sine[i] * step.sine[i];
      sine[i] = s;
    }
  }
};

/// Puts the sines and cosines of one position into their columns.
template <class T>
void writeRow(const SinusoidalParams& params, const Phases& phases, std::span<T> out) {
  const auto d = static_cast<std::int64_t>(out.size());
  const auto count = static_cast<std::int64_t>(phases.sine.size());
  const std::int64_t pairs = std::min(count, d / 2);
  const std::int64_t stride = params.columns == SinusoidalColumns::interleaved ? 2 : 1;
  const std::int64_t cosines = params.columns == SinusoidalColumns::interleaved ? 1 : count;
  for (std::int64_t i = 0; i < pairs; ++i) {
    const auto at = static_cast<std::size_t>(i);
    out[static_cast<std::size_t>(i * stride)] = static_cast<T>(params.scale * phases.sine[at]);
    out[static_cast<std::size_t>(i * stride + cosines)] = static_cast<T>(params.scale * phases.cosine[at]);
  }
  if (count > pairs)  // odd width, paper: a sine without its cosine
    out[static_cast<std::size_t>(pairs * stride)] = static_cast<T>(params.scale * phases.sine.back());
  else if (d % 2 != 0)  // odd width, endpoint: a column of zeros
    out.back() = T(0);
}

}  // namespace

std::vector<double> sinusoidalFrequencies(const SinusoidalParams& params, std::int64_t d_model) {
  const bool paper = params.frequencies == SinusoidalFrequencies::paper;
  const std::int64_t half = d_model / 2;
  std::vector<double> w(static_cast<std::size_t>(paper ? (d_model + 1) / 2 : half));
  // One frequency alone would divide by zero; later tensor2tensor uses max(h − 1, 1) too.
  const double steps =
      paper ? static_cast<double>(d_model) / 2.0 : static_cast<double>(std::max<std::int64_t>(half - 1, 1));
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = std::pow(params.base, -static_cast<double>(i) / steps);
  return w;
}

std::int64_t sineColumn(const SinusoidalParams& params, std::int64_t d_model, std::int64_t i) {
  const std::int64_t count = params.frequencies == SinusoidalFrequencies::paper ? (d_model + 1) / 2 : d_model / 2;
  if (i >= count) return -1;
  return params.columns == SinusoidalColumns::interleaved ? 2 * i : i;
}

std::int64_t cosineColumn(const SinusoidalParams& params, std::int64_t d_model, std::int64_t i) {
  if (i >= d_model / 2) return -1;
  const std::int64_t sines = params.frequencies == SinusoidalFrequencies::paper ? (d_model + 1) / 2 : d_model / 2;
  return params.columns == SinusoidalColumns::interleaved ? 2 * i + 1 : sines + i;
}

std::string sinusoidalTerm(const SinusoidalParams& params, const std::vector<double>& frequencies, std::int64_t d_model,
                           double position, std::int64_t column) {
  const auto count = static_cast<std::int64_t>(frequencies.size());
  const bool interleaved = params.columns == SinusoidalColumns::interleaved;
  std::int64_t i = interleaved ? column / 2 : column;
  if (!interleaved && column >= count) i = column - count;
  const bool sine = sineColumn(params, d_model, i) == column;
  if (!sine && cosineColumn(params, d_model, i) != column) return "0";
  const double w = frequencies[static_cast<std::size_t>(i)];
  const std::string scale = params.scale == 1 ? "" : screenNumber(params.scale) + " · ";
  return join(scale, sine ? "sin(" : "cos(", screenNumber(position), " · ", screenFactor(w, position), ")");
}

template <class T>
void sinusoidalRow(const SinusoidalParams& params, const std::vector<double>& frequencies, double position,
                   std::span<T> out) {
  writeRow(params, Phases(frequencies, position), out);
}

template <class T>
Table<T> sinusoidalTable(const SinusoidalParams& params, std::int64_t rows, std::int64_t d_model,
                         double first_position) {
  Table<T> table = makeTable<T>(rows, d_model);
  const std::vector<double> frequencies = sinusoidalFrequencies(params, d_model);
  const Phases step(frequencies, 1.0);
  parallelBlocks(rows, turned_rows, Job{}, [&](std::int64_t begin, std::int64_t end) {
    Phases phases(frequencies, first_position + static_cast<double>(begin));
    for (std::int64_t r = begin; r < end; ++r) {
      if (r > begin) phases.turn(step);
      writeRow(params, phases, table.row(r));
    }
  });
  return table;
}

template void sinusoidalRow<float>(const SinusoidalParams&, const std::vector<double>&, double, std::span<float>);
template void sinusoidalRow<double>(const SinusoidalParams&, const std::vector<double>&, double, std::span<double>);
template Table<float> sinusoidalTable<float>(const SinusoidalParams&, std::int64_t, std::int64_t, double);
template Table<double> sinusoidalTable<double>(const SinusoidalParams&, std::int64_t, std::int64_t, double);

}  // namespace posiscope

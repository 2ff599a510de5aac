// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sinusoidal.h"

#include "core/clones.h"
#include "core/parallel.h"
#include "core/screen_number.h"
#include "core/sinusoidal_rows.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <type_traits>

namespace posiscope {
namespace {

using Column = std::vector<double>;

POSISCOPE_CLONES void addAngles(std::size_t count, const double* __restrict sine_a, const double* __restrict cosine_a,
                                const double* __restrict sine_b, const double* __restrict cosine_b,
                                double* __restrict sine, double* __restrict cosine) {
  for (std::size_t i = 0; i < count; ++i) {
    sine[i] = sine_a[i] * cosine_b[i] + cosine_a[i] * sine_b[i];
    cosine[i] = cosine_a[i] * cosine_b[i] - sine_a[i] * sine_b[i];
  }
}

/// sine, cosine, sine, cosine …
POSISCOPE_CLONES void writePairs(std::size_t count, double scale, const double* __restrict sine,
                                 const double* __restrict cosine, float* __restrict out) {
  for (std::size_t i = 0; i < count; ++i) {
    out[2 * i] = static_cast<float>(scale * sine[i]);
    out[2 * i + 1] = static_cast<float>(scale * cosine[i]);
  }
}

/// The sines and cosines of one position.
struct Phases {
  Column sine, cosine;

  Phases(const Column& frequencies, double position) : sine(frequencies.size()), cosine(frequencies.size()) {
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      sine[i] = std::sin(position * frequencies[i]);
      cosine[i] = std::cos(position * frequencies[i]);
    }
  }
  /// The angles of two others, added.
  void sum(const Phases& a, const Phases& b) {
    sine.resize(a.sine.size());
    cosine.resize(a.sine.size());
    addAngles(a.sine.size(), a.sine.data(), a.cosine.data(), b.sine.data(), b.cosine.data(), sine.data(),
              cosine.data());
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
  std::int64_t written = 0;
  if constexpr (std::is_same_v<T, float>)
    if (params.columns == SinusoidalColumns::interleaved) {
      writePairs(static_cast<std::size_t>(pairs), params.scale, phases.sine.data(), phases.cosine.data(), out.data());
      written = pairs;
    }
  for (std::int64_t i = written; i < pairs; ++i) {
    const auto at = static_cast<std::size_t>(i);
    out[static_cast<std::size_t>(i * stride)] = static_cast<T>(params.scale * phases.sine[at]);
    out[static_cast<std::size_t>(i * stride + cosines)] = static_cast<T>(params.scale * phases.cosine[at]);
  }
  if (count > pairs)  // odd width, paper: a sine without its cosine
    out[static_cast<std::size_t>(pairs * stride)] = static_cast<T>(params.scale * phases.sine.back());
  else if (d % 2 != 0)  // odd width, endpoint: a column of zeros
    out.back() = T(0);
}

/// The phases of all rows in three factors, row r = (a·K + b)·K + c: the angles of c, of K·b and of
/// first_position + K²·a are evaluated exactly, and a row is their product. Two turns instead of a sine and a cosine
/// each, off by at most 1e-15, and 2·K + rows/K² rows in memory instead of all of them.
class PhaseFactors {
 public:
  PhaseFactors(const Column& frequencies, std::int64_t rows, double first_position) {
    const std::int64_t square = run_ * run_;
    const auto fill = [&](std::vector<Phases>& factors, std::int64_t count, double first, double step) {
      factors.assign(static_cast<std::size_t>(count), Phases({}, 0));
      parallelBlocks(count, 1, Job{}, [&](std::int64_t k, std::int64_t) {
        factors[static_cast<std::size_t>(k)] = Phases(frequencies, first + static_cast<double>(k) * step);
      });
    };
    fill(within_, std::min(rows, run_), 0, 1);
    fill(middle_, std::min((rows + run_ - 1) / run_, run_), 0, static_cast<double>(run_));
    fill(coarse_, (rows + square - 1) / square, first_position, static_cast<double>(square));
  }

  /// Rows that differ in their last factor only.
  std::int64_t run() const { return run_; }
  const Phases& within(std::int64_t row) const { return within_[static_cast<std::size_t>(row % run_)]; }
  const Phases& middle(std::int64_t row) const { return middle_[static_cast<std::size_t>(row / run_ % run_)]; }
  const Phases& coarse(std::int64_t row) const { return coarse_[static_cast<std::size_t>(row / run_ / run_)]; }
  /// The first row of a run.
  Phases startOf(std::int64_t row) const {
    Phases start({}, 0);
    start.sum(coarse(row), middle(row));
    return start;
  }

  static double bytes(std::int64_t rows, std::int64_t d_model) {
    const double kept = 2.0 * static_cast<double>(run_) + static_cast<double>(rows / (run_ * run_) + 1);
    return kept * static_cast<double>(d_model) * sizeof(double);
  }

 private:
  /// The same for every length: a longer table begins with the very bits of a shorter one. 64 keeps the rows that
  /// are evaluated exactly few at 512 (73) and at a million (384).
  static constexpr std::int64_t run_ = 64;

  std::vector<Phases> within_, middle_, coarse_;
};

/// "10000^(−2/8)": a pair has one exponent, the next pair the next even number.
std::string powerOf(const SinusoidalParams& params, std::int64_t d_model, std::int64_t i) {
  const bool paper = params.frequencies == SinusoidalFrequencies::paper;
  const std::int64_t divisor = paper ? d_model : std::max<std::int64_t>(d_model / 2 - 1, 1);
  return join(screenNumber(params.base), "^(", i == 0 ? "" : "\u2212", paper ? 2 * i : i, "/", divisor, ")");
}

std::atomic<double>& limitSetting() {
  static std::atomic<double> bytes{32.0 * 1024 * 1024};
  return bytes;
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
  const std::string factor = screenFactor(w, position);
  return join(scale, sine ? "sin(" : "cos(", screenNumber(position), " · ", factor, "), ", factor, " = ",
              powerOf(params, d_model, i));
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
  const PhaseFactors factors(sinusoidalFrequencies(params, d_model), rows, first_position);
  parallelBlocks(rows, factors.run(), Job{}, [&](std::int64_t begin, std::int64_t end) {
    const Phases start = factors.startOf(begin);
    Phases phases({}, 0);
    for (std::int64_t r = begin; r < end; ++r) {
      phases.sum(start, factors.within(r));
      writeRow(params, phases, table.row(r));
    }
  });
  return table;
}

template <class T>
double sinusoidalBytes(std::int64_t rows, std::int64_t d_model) {
  const double table = static_cast<double>(rows) * static_cast<double>(d_model) * sizeof(T);
  return table <= storedTableLimit() ? table : PhaseFactors::bytes(rows, d_model);
}

template <class T>
InputPart<T> sinusoidalInput(const SinusoidalParams& params, std::int64_t rows, std::int64_t d_model,
                             double first_position) {
  InputPart<T> input;
  input.frequency = sinusoidalFrequencies(params, d_model);
  if (static_cast<double>(rows) * static_cast<double>(d_model) * sizeof(T) <= storedTableLimit()) {
    input.table = sinusoidalTable<T>(params, rows, d_model, first_position);
    return input;
  }
  input.rows = rows;
  input.cols = d_model;
  input.fill_row = SinusoidalRows(params, rows, d_model, first_position);
  return input;
}

struct SinusoidalRows::State {
  SinusoidalParams params;
  std::int64_t d_model;
  double first_position;
  Column frequencies;
  PhaseFactors factors;
};

SinusoidalRows::SinusoidalRows(const SinusoidalParams& params, std::int64_t rows, std::int64_t d_model,
                               double first_position) {
  Column frequencies = sinusoidalFrequencies(params, d_model);
  PhaseFactors factors(frequencies, rows, first_position);
  state_ =
      std::make_shared<const State>(State{params, d_model, first_position, std::move(frequencies), std::move(factors)});
}

template <class T>
void SinusoidalRows::operator()(std::int64_t row, std::span<T> out) const {
  thread_local Phases start({}, 0), phases({}, 0);  // their memory is used again
  start.sum(state_->factors.coarse(row), state_->factors.middle(row));
  phases.sum(start, state_->factors.within(row));
  writeRow(state_->params, phases, out);
}

std::vector<Wave> SinusoidalRows::waves() const {
  const auto& [params, d_model, first_position, frequencies, factors] = *state_;
  std::vector<Wave> waves(static_cast<std::size_t>(d_model), Wave{0, 0, 0});  // odd width, endpoint: a column of zeros
  for (std::int64_t i = 0; i < std::ssize(frequencies); ++i) {
    const double w = frequencies[static_cast<std::size_t>(i)];
    const double phase = first_position * w;
    if (const std::int64_t sine = sineColumn(params, d_model, i); sine >= 0)
      waves[static_cast<std::size_t>(sine)] = {.phase = phase, .step = w, .sine = true};
    if (const std::int64_t cosine = cosineColumn(params, d_model, i); cosine >= 0)
      waves[static_cast<std::size_t>(cosine)] = {phase, w};
  }
  return waves;
}

double SinusoidalRows::factor() const { return state_->params.scale; }

double storedTableLimit() { return limitSetting().load(); }
void setStoredTableLimit(double bytes) { limitSetting().store(bytes); }

template void sinusoidalRow<float>(const SinusoidalParams&, const std::vector<double>&, double, std::span<float>);
template void sinusoidalRow<double>(const SinusoidalParams&, const std::vector<double>&, double, std::span<double>);
template Table<float> sinusoidalTable<float>(const SinusoidalParams&, std::int64_t, std::int64_t, double);
template Table<double> sinusoidalTable<double>(const SinusoidalParams&, std::int64_t, std::int64_t, double);
template InputPart<float> sinusoidalInput<float>(const SinusoidalParams&, std::int64_t, std::int64_t, double);
template InputPart<double> sinusoidalInput<double>(const SinusoidalParams&, std::int64_t, std::int64_t, double);
template void SinusoidalRows::operator()<float>(std::int64_t, std::span<float>) const;
template void SinusoidalRows::operator()<double>(std::int64_t, std::span<double>) const;
template double sinusoidalBytes<float>(std::int64_t, std::int64_t);
template double sinusoidalBytes<double>(std::int64_t, std::int64_t);

}  // namespace posiscope

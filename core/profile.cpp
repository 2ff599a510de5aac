// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile.h"

#include "core/clones.h"
#include "core/parallel.h"

#include <algorithm>
#include <cmath>

namespace posiscope {
namespace {

/// Positions may carry the roundoff of their own making ("0.1 + t").
bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)}); }

std::optional<double> evenStep(std::span<const double> position) {
  if (position.size() < 2) return 1.0;
  const double step = (position.back() - position.front()) / static_cast<double>(position.size() - 1);
  for (std::size_t t = 1; t < position.size(); ++t)
    if (const double now = position[t] - position[t - 1]; now != step && !near(now, step)) return std::nullopt;
  // Whole steps are exact; the quotient above is not always.
  return near(step, std::round(step)) ? std::round(step) : step;
}

/// The phases of all pairs at one offset, exactly.
std::vector<Phase> phasesAt(double offset, std::span<const double> frequency, std::span<const double> log_growth) {
  std::vector<Phase> phases;
  for (std::size_t p = 0; p < frequency.size(); ++p) {
    const double growth = log_growth.empty() ? 1.0 : std::exp(offset * log_growth[p]);
    phases.push_back({growth * std::cos(offset * frequency[p]), growth * std::sin(offset * frequency[p])});
  }
  return phases;
}

/// Calls `body(first entry, entries, phases)` for every run of [0, count), in parallel; `phases` are those of the
/// run's first offset, and `body` leaves those of the next run.
bool forRuns(std::span<const double> frequency, std::span<const double> log_growth, double first, std::int64_t count,
             const Job& job, const std::function<void(std::int64_t, std::int64_t, std::vector<Phase>&)>& body) {
  return parallelBlocks(count, PhaseRun::width * PhaseRun::most_runs, job, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Phase> phases = phasesAt(first + static_cast<double>(begin), frequency, log_growth);
    for (std::int64_t run = begin; run < end; run += PhaseRun::width)
      body(run, std::min(PhaseRun::width, end - run), phases);
  });
}

/// out = (a + i·b)·(c + i·s), PhaseRun::width numbers.
POSISCOPE_CLONES void turnRun(double c, double s, const double* __restrict a, const double* __restrict b,
                              double* __restrict cosines, double* __restrict sines) {
  for (std::size_t d = 0; d < PhaseRun::width; ++d) {
    cosines[d] = c * a[d] - s * b[d];
    sines[d] = s * a[d] + c * b[d];
  }
}

POSISCOPE_CLONES void addTurned(double even, double odd, const double* __restrict c, const double* __restrict s,
                                double* __restrict sums) {
  for (std::size_t d = 0; d < PhaseRun::width; ++d) sums[d] += even * c[d] + odd * s[d];
}

/// The next partial sum of phases, and its length added to `total`.
POSISCOPE_CLONES void addLength(const double* __restrict c, const double* __restrict s, double* __restrict real,
                                double* __restrict imaginary, double* __restrict total) {
  for (std::size_t d = 0; d < PhaseRun::width; ++d) {
    real[d] += c[d];
    imaginary[d] += s[d];
    total[d] += std::sqrt(real[d] * real[d] + imaginary[d] * imaginary[d]);
  }
}

}  // namespace

PhaseRun::PhaseRun(double step, double log_growth) {
  cos_[0] = 1;
  sin_[0] = 0;
  // Doubling: the second half of each stretch is the first one turned, so no value is more than 7 products old.
  for (std::int64_t have = 1; have <= width; have *= 2) {
    const double growth = std::exp(static_cast<double>(have) * log_growth);
    const double c = growth * std::cos(static_cast<double>(have) * step);
    const double s = growth * std::sin(static_cast<double>(have) * step);
    whole_ = {c, s};
    for (std::int64_t d = 0; d < have && have < width; ++d) {
      const auto from = static_cast<std::size_t>(d);
      const auto to = static_cast<std::size_t>(have + d);
      cos_[to] = c * cos_[from] - s * sin_[from];
      sin_[to] = s * cos_[from] + c * sin_[from];
    }
  }
}

void PhaseRun::fill(double start, Lane& cosines, Lane& sines) const {
  Phase phase{std::cos(start), std::sin(start)};
  fill(phase, cosines, sines);
}

void PhaseRun::fill(Phase& start, Lane& cosines, Lane& sines) const {
  turnRun(start.cosine, start.sine, cos_.data(), sin_.data(), cosines.data(), sines.data());
  start = {start.cosine * whole_.cosine - start.sine * whole_.sine,
           start.sine * whole_.cosine + start.cosine * whole_.sine};
}

std::vector<PhaseRun> phaseRuns(std::span<const double> frequency, std::span<const double> log_growth) {
  std::vector<PhaseRun> runs;
  runs.reserve(frequency.size());
  for (std::size_t p = 0; p < frequency.size(); ++p)
    runs.emplace_back(frequency[p], log_growth.empty() ? 0.0 : log_growth[p]);
  return runs;
}

std::optional<OffsetRotation> offsetRotation(const RotationPart& rotation, std::int64_t set) {
  const auto length = static_cast<std::int64_t>(rotation.position.size()) / rotation.axes;
  OffsetRotation result;
  result.frequency.assign(static_cast<std::size_t>(rotation.pairs()), 0.0);
  result.gain = rotation.attention_factor * rotation.attention_factor;
  for (std::int64_t a = 0; a < rotation.axes; ++a) {
    const std::span<const double> axis(rotation.position.data() + a * length, static_cast<std::size_t>(length));
    const std::optional<double> step = evenStep(axis);
    if (!step) return std::nullopt;
    for (std::int64_t p = 0; p < rotation.pairs(); ++p)
      result.frequency[static_cast<std::size_t>(p)] += rotation.frequencyOf(set, a, p) * *step;
    if (a == 0)
      for (const double magnitude : rotation.log_magnitude) result.log_growth.push_back(magnitude * *step);
  }
  return result;
}

PairWeights samplePairWeights(const RotationPart& rotation, std::span<const double> q, std::span<const double> k) {
  PairWeights weights;
  for (std::int64_t p = 0; p < rotation.pairs(); ++p) {
    const auto a = static_cast<std::size_t>(rotation.firstDim(p));
    const auto c = static_cast<std::size_t>(rotation.secondDim(p));
    weights.even.push_back(q[a] * k[a] + q[c] * k[c]);
    weights.odd.push_back(q[a] * k[c] - q[c] * k[a]);
  }
  return weights;
}

PairWeights meanPairWeights(const RotationPart& rotation, Rows<double> q, Rows<double> k) {
  PairWeights mean{std::vector<double>(static_cast<std::size_t>(rotation.pairs())),
                   std::vector<double>(static_cast<std::size_t>(rotation.pairs()))};
  for (std::int64_t r = 0; r < q.rows; ++r) {
    const PairWeights sample = samplePairWeights(rotation, q.row(r), k.row(r));
    for (std::size_t p = 0; p < mean.even.size(); ++p) {
      mean.even[p] += sample.even[p] / static_cast<double>(q.rows);
      mean.odd[p] += sample.odd[p] / static_cast<double>(q.rows);
    }
  }
  return mean;
}

std::vector<std::vector<double>> offsetScores(const OffsetRotation& rotation, std::span<const PairWeights> weights,
                                              double first, std::int64_t count, const Job& job) {
  const std::vector<PhaseRun> runs = phaseRuns(rotation.frequency, rotation.log_growth);
  std::vector<std::vector<double>> scores(weights.size(), std::vector<double>(static_cast<std::size_t>(count)));
  const auto body = [&](std::int64_t begin, std::int64_t entries, std::vector<Phase>& phases) {
    PhaseRun::Lane c;
    PhaseRun::Lane s;
    std::vector<PhaseRun::Lane> sums(weights.size(), PhaseRun::Lane{});
    for (std::size_t p = 0; p < runs.size(); ++p) {
      runs[p].fill(phases[p], c, s);
      for (std::size_t w = 0; w < weights.size(); ++w)
        addTurned(weights[w].even[p], weights[w].odd[p], c.data(), s.data(), sums[w].data());
    }
    for (std::size_t w = 0; w < weights.size(); ++w)
      for (std::int64_t d = 0; d < entries; ++d)
        scores[w][static_cast<std::size_t>(begin + d)] = rotation.gain * sums[w][static_cast<std::size_t>(d)];
  };
  if (!forRuns(rotation.frequency, rotation.log_growth, first, count, job, body)) scores.clear();
  return scores;
}

std::vector<double> onesScores(const OffsetRotation& rotation, double first, std::int64_t count, const Job& job) {
  const std::size_t pairs = rotation.frequency.size();
  const PairWeights ones{std::vector<double>(pairs, 2.0), std::vector<double>(pairs, 0.0)};
  auto scores = offsetScores(rotation, {&ones, 1}, first, count, job);
  return scores.empty() ? std::vector<double>{} : std::move(scores.front());
}

std::vector<double> boundProfile(std::span<const double> frequency, double first, std::int64_t count, const Job& job) {
  const std::vector<PhaseRun> runs = phaseRuns(frequency);
  std::vector<double> bound(static_cast<std::size_t>(count));
  const auto body = [&](std::int64_t begin, std::int64_t entries, std::vector<Phase>& phases) {
    PhaseRun::Lane c;
    PhaseRun::Lane s;
    PhaseRun::Lane real{};
    PhaseRun::Lane imaginary{};
    PhaseRun::Lane total{};
    for (std::size_t p = 0; p < runs.size(); ++p) {
      runs[p].fill(phases[p], c, s);
      addLength(c.data(), s.data(), real.data(), imaginary.data(), total.data());
    }
    for (std::int64_t d = 0; d < entries; ++d)
      bound[static_cast<std::size_t>(begin + d)] =
          total[static_cast<std::size_t>(d)] / static_cast<double>(frequency.size());
  };
  if (!forRuns(frequency, {}, first, count, job, body)) bound.clear();
  return bound;
}

}  // namespace posiscope

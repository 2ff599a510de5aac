// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/job.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace posiscope {

/// A number on the unit circle, or beside it where a rotation grows.
struct Phase {
  double cosine;
  double sine;
};

/// Cosines and sines of `start + d·step` for a run of `width` steps: the angles of one pair along positions or
/// offsets, times exp(d·log_growth). One multiplication of complex numbers each instead of a sine and a cosine. No
/// error builds up while the start of at least every `most_runs`-th run is an angle computed afresh (at most 1e-14 rad
/// off besides the roundoff of the angle itself).
class PhaseRun {
 public:
  static constexpr std::int64_t width = 128;
  static constexpr std::int64_t most_runs = 8;
  using Lane = std::array<double, width>;

  explicit PhaseRun(double step, double log_growth = 0);
  void fill(double start, Lane& cosines, Lane& sines) const;
  /// The run that starts with `start`, which becomes the start of the next run.
  void fill(Phase& start, Lane& cosines, Lane& sines) const;

 private:
  Lane cos_;
  Lane sin_;
  Phase whole_;  ///< what the run turns by
};

/// One run for each frequency; `log_growth` is empty where nothing grows.
std::vector<PhaseRun> phaseRuns(std::span<const double> frequency, std::span<const double> log_growth = {});

/// What a rotation does to two tokens that are n places apart, when that is all that matters.
struct OffsetRotation {
  std::vector<double> frequency;   ///< angle per place of each pair, radians
  std::vector<double> log_growth;  ///< xPos: factor exp(n·log_growth) of each pair; empty = 1
  double gain = 1;                 ///< attention factor, squared: q and k both carry it
};

/// Empty when the positions are not evenly spaced (two axes of a grid, positions that start again).
std::optional<OffsetRotation> offsetRotation(const RotationPart& rotation, std::int64_t set);

/// One score as a function of the offset: gain·Σ_p growth_p(n)·(even_p·cos(n·w_p) + odd_p·sin(n·w_p)).
/// With q = k = 1: even = 2, odd = 0. In general even = q_a k_a + q_c k_c and odd = q_a k_c − q_c k_a for the two
/// dimensions a, c of the pair, n = query − key (RoFormer, section 3.2.2).
struct PairWeights {
  std::vector<double> even;
  std::vector<double> odd;
};

/// The weights whose score is the mean score of the rows of q and k, [samples, ≥ endDim]: the score is linear in
/// them. `samplePairWeights` gives those of one row.
PairWeights meanPairWeights(const RotationPart& rotation, Rows<double> q, Rows<double> k);
PairWeights samplePairWeights(const RotationPart& rotation, std::span<const double> q, std::span<const double> k);

/// Scores at n = first … first + count − 1, one row for each of `weights`. O(count·pairs·rows), in parallel, the
/// same on any number of threads. Empty when the job was stopped.
std::vector<std::vector<double>> offsetScores(const OffsetRotation& rotation, std::span<const PairWeights> weights,
                                              double first, std::int64_t count, const Job& job);

/// The all-ones score 2·Σ_p cos(n·w_p), times gain and growth. Empty when the job was stopped.
std::vector<double> onesScores(const OffsetRotation& rotation, double first, std::int64_t count,
                               const Job& job);

/// The bound of RoFormer, section 3.4.3, by Abel summation: B(n) = (1/pairs)·Σ_{m=1..pairs} |Σ_{p<m} e^{jnw_p}|.
/// An envelope of relative size, B(0) = (pairs + 1)/2; not a score. Empty when the job was stopped.
std::vector<double> boundProfile(std::span<const double> frequency, double first, std::int64_t count,
                                 const Job& job);

}  // namespace posiscope

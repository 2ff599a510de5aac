// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace posiscope::measures {

/// What follows from the sine and cosine formulas, as pure functions in double. The measures and `verify` use the
/// same ones.

/// With the sum S over the pairs, mean and per_dim are both 2S/dim, whatever the curve itself is a multiple of.
enum class Normalise {
  none,
  cosine,   ///< divided by both norms
  mean,     ///< S divided by the number of pairs, dim/2
  per_dim,  ///< 2S divided by dim
};

/// A table of sines and cosines: PE(p, 2i) = sin(p·w_i), PE(p, 2i+1) = cos(p·w_i), w_i = base^(−2i/dim); with an odd
/// dim the last sine has no cosine. `concatenated`: all sines, then all cosines.
struct Sinusoid {
  std::int64_t dim = 0;
  double base = 10000;
  bool concatenated = false;
  bool endpoint = false;  ///< w_i = base^(−i/(h−1)), h = ⌊dim/2⌋; an odd dim then ends in a column of zeros
};

/// w_i, radians per token; ⌈dim/2⌉ of them.
std::vector<double> frequencies(std::int64_t dim, double base);
/// … of this table: ⌊dim/2⌋ with `endpoint`.
std::vector<double> frequencies(const Sinusoid& spec);
Table<double> sinusoidTable(const Sinusoid& spec, std::span<const double> positions);

/// S(k) = Σ_i cos(k·w_i) at each offset; even dim.
std::vector<double> similarityCurve(const Sinusoid& spec, std::span<const double> offsets, Normalise normalise);
/// P_i·P_j for each two of the positions; [positions, positions].
Table<double> similarityMatrix(const Sinusoid& spec, std::span<const double> positions, Normalise normalise);

/// RoPE's score of q = k = 1: 2·S(k).
std::vector<double> ropeDecayOnes(std::int64_t dim, double base, std::span<const double> offsets, Normalise normalise);
/// Mean over the rows of q·R_offset·k, offset = query − key; q and k [samples, dim].
std::vector<double> ropeDecaySamples(Pairing pairing, double base, Rows<double> q, Rows<double> k,
                                     std::span<const double> offsets);
/// RoFormer's bound B(k), see `boundProfile`.
std::vector<double> ropeBound(std::int64_t dim, double base, std::span<const double> offsets);

/// Euclidean norm of each row, with 1 as the length unit.
std::vector<double> norms(Rows<double> rows);
std::vector<double> norms(Rows<float> rows);
/// ‖position‖ / ‖word‖ for each pair of rows, [positions, words]; words times √dim when `scale_words`.
Table<double> normRatio(Rows<double> positions, Rows<double> words, bool scale_words);
/// 0 below 0.1, 1 from 0.1 to 1 (both included), 2 above 1.
int normClass(double ratio);
/// E‖x‖ of x normal with this standard deviation: std·√2·Γ((dim+1)/2)/Γ(dim/2).
double expectedWordNorm(std::int64_t dim, double std);

/// M_k with PE(p + k) = M_k·PE(p) for every p, [dim, dim], acting on columns; even dim.
Table<double> shiftMatrix(const Sinusoid& spec, double k);

/// 2π / |w_i|, tokens; infinite for w = 0.
std::vector<double> wavelengths(std::span<const double> frequency);
/// Turns |w_i|·length / 2π of each pair within `length` tokens.
std::vector<double> rotations(std::span<const double> frequency, double length);
/// Dimensions whose pair completes a turn within `length` tokens: 2·#{wavelength ≤ length}.
std::int64_t criticalDim(std::span<const double> frequency, double length);
/// The others.
std::int64_t incompleteDims(std::span<const double> frequency, double length);

/// ‖P_{p+k} − P_p‖ = 2·√(Σ sin²(k·w_i/2)): the form that does not cancel where √(dim − 2S) gives 0.
std::vector<double> distanceCurve(const Sinusoid& spec, std::span<const double> offsets);
/// Smallest and largest distance among offsets 1 … count − 1.
struct DistanceRange {
  double minimum = 0;
  double minimum_offset = 0;
  double maximum = 0;
  double maximum_offset = 0;
};
DistanceRange minDistance(const Sinusoid& spec, std::int64_t count);

enum class FloatFormat { bf16, fp16, fp32 };
/// The nearest number of the format, ties to even, in one step; tiny ones are the format's subnormals. Past the largest
/// one, infinity.
double rounded(double value, FloatFormat format);

}  // namespace posiscope::measures

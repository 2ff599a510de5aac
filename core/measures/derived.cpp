// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/derived.h"

#include "core/profile.h"
#include "core/sinusoidal.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>

namespace posiscope::measures {
namespace {

/// Asks a profile for each stretch of offsets that follow one another: the kernels of the window, on any list.
std::vector<double> atOffsets(std::span<const double> offsets,
                              const std::function<std::vector<double>(double first, std::int64_t count)>& profile) {
  std::vector<double> values;
  for (std::size_t begin = 0; begin < offsets.size();) {
    std::size_t end = begin + 1;
    while (end < offsets.size() && offsets[end] == offsets[end - 1] + 1) ++end;
    const std::vector<double> part = profile(offsets[begin], static_cast<std::int64_t>(end - begin));
    values.insert(values.end(), part.begin(), part.end());
    begin = end;
  }
  return values;
}

void scale(std::vector<double>& values, double factor) {
  for (double& v : values) v *= factor;
}

/// The columns of the sine and of the cosine of pair p.
std::int64_t sineColumn(const Sinusoid& spec, std::int64_t p) { return spec.concatenated ? p : 2 * p; }
std::int64_t cosineColumn(const Sinusoid& spec, std::int64_t p) {
  const std::int64_t sines = spec.endpoint ? spec.dim / 2 : (spec.dim + 1) / 2;
  return spec.concatenated ? sines + p : 2 * p + 1;
}

template <class T>
std::vector<double> rowNorms(Rows<T> rows) {
  std::vector<double> result;
  for (std::int64_t r = 0; r < rows.rows; ++r) {
    double sum = 0;
    for (const T v : rows.row(r)) sum += static_cast<double>(v) * static_cast<double>(v);
    result.push_back(std::sqrt(sum));
  }
  return result;
}

double distance(std::span<const double> frequency, double offset) {
  double sum = 0;
  for (const double w : frequency) {
    const double s = std::sin(offset * w / 2);
    sum += s * s;
  }
  return 2 * std::sqrt(sum);
}

}  // namespace

std::vector<double> frequencies(std::int64_t dim, double base) {
  std::vector<double> w;
  for (std::int64_t i = 0; 2 * i < dim; ++i)
    w.push_back(std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(dim)));
  return w;
}

std::vector<double> frequencies(const Sinusoid& spec) {
  if (!spec.endpoint) return frequencies(spec.dim, spec.base);
  return sinusoidalFrequencies({.frequencies = SinusoidalFrequencies::endpoint, .base = spec.base}, spec.dim);
}

Table<double> sinusoidTable(const Sinusoid& spec, std::span<const double> positions) {
  const std::vector<double> w = frequencies(spec);
  Table<double> table = makeTable<double>(static_cast<std::int64_t>(positions.size()), spec.dim);
  for (std::int64_t r = 0; r < table.rows; ++r)
    for (std::int64_t p = 0; p < static_cast<std::int64_t>(w.size()); ++p) {
      const double angle = positions[static_cast<std::size_t>(r)] * w[static_cast<std::size_t>(p)];
      table.row(r)[static_cast<std::size_t>(sineColumn(spec, p))] = std::sin(angle);
      if (2 * p + 1 < spec.dim) table.row(r)[static_cast<std::size_t>(cosineColumn(spec, p))] = std::cos(angle);
    }
  return table;
}

std::vector<double> similarityCurve(const Sinusoid& spec, std::span<const double> offsets, Normalise normalise) {
  assert(spec.dim % 2 == 0);
  const OffsetRotation rotation{frequencies(spec), {}, 1};
  std::vector<double> values =
      atOffsets(offsets, [&](double first, std::int64_t count) { return onesScores(rotation, first, count, Job{}); });
  scale(values, 0.5);  // q = k = 1 scores 2·S
  if (normalise != Normalise::none) scale(values, 2 / static_cast<double>(spec.dim));
  return values;
}

Table<double> similarityMatrix(const Sinusoid& spec, std::span<const double> positions, Normalise normalise) {
  const Table<double> table = sinusoidTable(spec, positions);
  const std::vector<double> norm = norms(rowsOf(table));
  Table<double> result = makeTable<double>(table.rows, table.rows);
  for (std::int64_t i = 0; i < table.rows; ++i)
    for (std::int64_t j = 0; j < table.rows; ++j) {
      double value = std::inner_product(table.row(i).begin(), table.row(i).end(), table.row(j).begin(), 0.0);
      if (normalise == Normalise::cosine)
        value /= norm[static_cast<std::size_t>(i)] * norm[static_cast<std::size_t>(j)];
      if (normalise == Normalise::mean || normalise == Normalise::per_dim) value /= static_cast<double>(spec.dim) / 2;
      result.row(i)[static_cast<std::size_t>(j)] = value;
    }
  return result;
}

std::vector<double> ropeDecayOnes(std::int64_t dim, double base, std::span<const double> offsets, Normalise normalise) {
  assert(dim % 2 == 0);
  const OffsetRotation rotation{frequencies(dim, base), {}, 1};
  std::vector<double> values =
      atOffsets(offsets, [&](double first, std::int64_t count) { return onesScores(rotation, first, count, Job{}); });
  if (normalise != Normalise::none) scale(values, 1 / static_cast<double>(dim));
  return values;
}

std::vector<double> ropeDecaySamples(Pairing pairing, double base, Rows<double> q, Rows<double> k,
                                     std::span<const double> offsets) {
  assert(q.rows == k.rows && q.cols == k.cols && q.cols % 2 == 0);
  RotationPart part;
  part.pairing = pairing;
  part.rotary_dim = q.cols;
  const PairWeights mean = meanPairWeights(part, q, k);
  const OffsetRotation rotation{frequencies(q.cols, base), {}, 1};
  return atOffsets(offsets, [&](double first, std::int64_t count) {
    return offsetScores(rotation, {&mean, 1}, first, count, Job{}).front();
  });
}

std::vector<double> ropeBound(std::int64_t dim, double base, std::span<const double> offsets) {
  const std::vector<double> w = frequencies(dim, base);
  return atOffsets(offsets, [&](double first, std::int64_t count) { return boundProfile(w, first, count, Job{}); });
}

std::vector<double> norms(Rows<double> rows) { return rowNorms(rows); }
std::vector<double> norms(Rows<float> rows) { return rowNorms(rows); }

Table<double> normRatio(Rows<double> positions, Rows<double> words, bool scale_words) {
  const std::vector<double> position = norms(positions);
  const std::vector<double> word = norms(words);
  const double factor = scale_words ? std::sqrt(static_cast<double>(words.cols)) : 1.0;
  Table<double> result = makeTable<double>(positions.rows, words.rows);
  for (std::int64_t r = 0; r < positions.rows; ++r)
    for (std::int64_t c = 0; c < words.rows; ++c)
      result.row(r)[static_cast<std::size_t>(c)] =
          position[static_cast<std::size_t>(r)] / (word[static_cast<std::size_t>(c)] * factor);
  return result;
}

int normClass(double ratio) { return ratio < 0.1 ? 0 : ratio <= 1 ? 1 : 2; }

double expectedWordNorm(std::int64_t dim, double std) {
  const auto d = static_cast<double>(dim);
  // Γ overflows from 172 on; its logarithm does not.
  return std * std::numbers::sqrt2 * std::exp(std::lgamma((d + 1) / 2) - std::lgamma(d / 2));
}

Table<double> shiftMatrix(const Sinusoid& spec, double k) {
  assert(spec.dim % 2 == 0);
  const std::vector<double> w = frequencies(spec);
  Table<double> m = makeTable<double>(spec.dim, spec.dim);
  for (std::int64_t p = 0; p < spec.dim / 2; ++p) {
    const std::int64_t s = sineColumn(spec, p);
    const std::int64_t c = cosineColumn(spec, p);
    const double angle = k * w[static_cast<std::size_t>(p)];
    m.row(s)[static_cast<std::size_t>(s)] = m.row(c)[static_cast<std::size_t>(c)] = std::cos(angle);
    m.row(s)[static_cast<std::size_t>(c)] = std::sin(angle);
    m.row(c)[static_cast<std::size_t>(s)] = -std::sin(angle);
  }
  return m;
}

std::vector<double> wavelengths(std::span<const double> frequency) {
  std::vector<double> result;
  for (const double w : frequency)
    result.push_back(w == 0 ? std::numeric_limits<double>::infinity() : 2 * std::numbers::pi / std::abs(w));
  return result;
}

std::vector<double> rotations(std::span<const double> frequency, double length) {
  std::vector<double> result;
  for (const double w : frequency) result.push_back(std::abs(w) * length / (2 * std::numbers::pi));
  return result;
}

std::int64_t criticalDim(std::span<const double> frequency, double length) {
  std::int64_t complete = 0;
  for (const double wavelength : wavelengths(frequency)) complete += wavelength <= length ? 1 : 0;
  return 2 * complete;
}

std::int64_t incompleteDims(std::span<const double> frequency, double length) {
  return 2 * static_cast<std::int64_t>(frequency.size()) - criticalDim(frequency, length);
}

std::vector<double> distanceCurve(const Sinusoid& spec, std::span<const double> offsets) {
  const std::vector<double> w = frequencies(spec);
  std::vector<double> result;
  for (const double k : offsets) result.push_back(distance(w, k));
  return result;
}

DistanceRange minDistance(const Sinusoid& spec, std::int64_t count) {
  const std::vector<double> w = frequencies(spec);
  DistanceRange range;
  for (std::int64_t k = 1; k < count; ++k) {
    const double d = distance(w, static_cast<double>(k));
    if (k == 1 || d < range.minimum) {
      range.minimum = d;
      range.minimum_offset = static_cast<double>(k);
    }
    if (k == 1 || d > range.maximum) {
      range.maximum = d;
      range.maximum_offset = static_cast<double>(k);
    }
  }
  return range;
}

double rounded(double value, FloatFormat format) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int digits = format == FloatFormat::bf16 ? 8 : format == FloatFormat::fp16 ? 11 : 24;
  const int largest_exponent = format == FloatFormat::fp16 ? 16 : 128;
  const int smallest_step = format == FloatFormat::fp16 ? -24 : format == FloatFormat::bf16 ? -133 : -149;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int step = std::max(exponent - digits, smallest_step);
  // nearbyint rounds ties to even, the mode programs start with.
  const double nearest = std::ldexp(std::nearbyint(std::ldexp(value, -step)), step);
  if (std::abs(nearest) < std::ldexp(1.0, largest_exponent)) return nearest;
  return std::copysign(std::numeric_limits<double>::infinity(), value);
}

}  // namespace posiscope::measures

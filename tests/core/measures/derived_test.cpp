// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/derived.h"

#include "core/profile.h"
#include "core/random.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace posiscope::measures {
namespace {

std::vector<double> range(double first, int count, double step = 1) {
  std::vector<double> values;
  for (int k = 0; k < count; ++k) values.push_back(first + step * k);
  return values;
}

Table<double> normal(std::int64_t rows, std::int64_t cols, std::string_view name) {
  const Stream stream(7, name);
  Table<double> table = makeTable<double>(rows, cols);
  for (std::size_t e = 0; e < table.values.size(); ++e) table.values[e] = stream.normal(e);
  return table;
}

TEST(Derived, similarityMatrixIsToeplitzForEvenWidthsOnly) {
  const Table<double> even = similarityMatrix({64}, range(0, 32), Normalise::none);
  const Table<double> odd = similarityMatrix({5, 10}, range(0, 12), Normalise::none);
  double odd_spread = 0;
  for (std::int64_t i = 0; i + 1 < 32; ++i) {
    EXPECT_NEAR(even.row(i)[static_cast<std::size_t>(i)], 32, 1e-12);
    EXPECT_NEAR(even.row(i)[3], even.row(3)[static_cast<std::size_t>(i)], 1e-12);
    EXPECT_NEAR(even.row(i)[static_cast<std::size_t>(i + 1)], even.row(0)[1], 1e-12);
  }
  for (std::int64_t i = 0; i < 12; ++i)
    odd_spread = std::max(odd_spread, std::abs(odd.row(i)[static_cast<std::size_t>(i)] - odd.row(0)[0]));
  EXPECT_GT(odd_spread, 0.1);
}

TEST(Derived, curveAndMatrixAgreeAndTheRotaryCurveIsTwiceAsHigh) {
  const Table<double> matrix = similarityMatrix({64, 500, true}, range(0, 40), Normalise::none);
  const std::vector<double> curve = similarityCurve({64, 500}, range(0, 40), Normalise::none);
  const std::vector<double> ones = ropeDecayOnes(64, 500, range(0, 40), Normalise::none);
  for (std::size_t k = 0; k < curve.size(); ++k) {
    EXPECT_NEAR(curve[k], matrix.row(0)[k], 1e-12);
    EXPECT_NEAR(ones[k], 2 * curve[k], 1e-12);
  }
  EXPECT_NEAR(similarityCurve({64}, range(0, 1), Normalise::cosine)[0], 1, 1e-15);
}

TEST(Derived, theCurveIsNotMonotone) {
  // The published places: first upward after 11, first negative at 1707 for d = 128, base 10000.
  const std::vector<double> s = similarityCurve({128}, range(0, 2000), Normalise::none);
  std::size_t rise = 1;
  while (s[rise] <= s[rise - 1]) ++rise;
  EXPECT_EQ(rise - 1, 11U);
  std::size_t negative = 0;
  while (s[negative] >= 0) ++negative;
  EXPECT_EQ(negative, 1707U);
}

TEST(Derived, aListOfOffsetsGivesTheSameAsARun) {
  const std::vector<double> run = ropeBound(32, 10000, range(0, 300));
  const std::vector<double> some = ropeBound(32, 10000, std::vector<double>{299, 0, 1, 2, 77});
  EXPECT_NEAR(some[0], run[299], 1e-12);
  EXPECT_NEAR(some[1], 17.0 / 2, 1e-12);
  EXPECT_NEAR(some[4], run[77], 1e-12);
}

TEST(Derived, decaySamplesAreTheMeanOfTurnedProducts) {
  const Table<double> q = normal(3, 8, "q");
  const Table<double> k = normal(3, 8, "k");
  const std::vector<double> w = frequencies(8, 100);
  for (const Pairing pairing : {Pairing::interleaved, Pairing::half}) {
    RotationPart part;
    part.pairing = pairing;
    part.rotary_dim = 8;
    const std::vector<double> mean = ropeDecaySamples(pairing, 100, rowsOf(q), rowsOf(k), range(-3, 9));
    for (std::size_t n = 0; n < mean.size(); ++n) {
      double expected = 0;
      for (std::int64_t s = 0; s < 3; ++s)
        for (std::int64_t p = 0; p < 4; ++p) {
          // The query stands `offset` after the key: turn it and take the product with the key as it is.
          const double angle = (static_cast<double>(n) - 3) * w[static_cast<std::size_t>(p)];
          const auto a = static_cast<std::size_t>(part.firstDim(p));
          const auto c = static_cast<std::size_t>(part.secondDim(p));
          const double qa = q.row(s)[a] * std::cos(angle) - q.row(s)[c] * std::sin(angle);
          const double qc = q.row(s)[a] * std::sin(angle) + q.row(s)[c] * std::cos(angle);
          expected += (qa * k.row(s)[a] + qc * k.row(s)[c]) / 3;
        }
      EXPECT_NEAR(mean[n], expected, 1e-12);
    }
  }
}

TEST(Derived, theShiftMatrixMovesEveryRow) {
  for (const bool concatenated : {false, true}) {
    const Sinusoid spec{16, 10000, concatenated};
    const Table<double> rows = sinusoidTable(spec, std::vector<double>{3, 10});
    const Table<double> m = shiftMatrix(spec, 7);
    for (std::int64_t r = 0; r < 16; ++r)
      EXPECT_NEAR(std::inner_product(m.row(r).begin(), m.row(r).end(), rows.row(0).begin(), 0.0),
                  rows.row(1)[static_cast<std::size_t>(r)], 1e-13);
  }
}

TEST(Derived, normsAndClasses) {
  const Table<double> rows = sinusoidTable({512}, std::vector<double>{0, 17, 1048575});
  for (const double n : norms(rowsOf(rows))) EXPECT_NEAR(n, 16, 1e-12);
  EXPECT_EQ(normClass(0.0999), 0);
  EXPECT_EQ(normClass(0.1), 1);
  EXPECT_EQ(normClass(1.0), 1);
  EXPECT_EQ(normClass(1.0001), 2);
  EXPECT_NEAR(expectedWordNorm(768, 0.02), 0.554, 5e-4);
  const Table<double> words = normal(2, 512, "words");
  const Table<double> plain = normRatio(rowsOf(rows), rowsOf(words), false);
  const Table<double> scaled = normRatio(rowsOf(rows), rowsOf(words), true);
  EXPECT_EQ(plain.cols, 2);
  EXPECT_NEAR(plain.row(1)[1], scaled.row(1)[1] * std::sqrt(512.0), 1e-12);
}

TEST(Derived, criticalDimensionsOfKnownModels) {
  // Llama 2, Llama 3 and the limits.
  EXPECT_EQ(criticalDim(frequencies(128, 10000), 4096), 92);
  EXPECT_EQ(criticalDim(frequencies(128, 500000), 8192), 70);
  EXPECT_EQ(incompleteDims(frequencies(128, 500000), 8192), 58);
  EXPECT_EQ(criticalDim(frequencies(128, 10000), 6), 0);
  EXPECT_EQ(criticalDim(frequencies(128, 10000), 131072), 128);
  EXPECT_NEAR(wavelengths(frequencies(128, 10000))[0], 2 * M_PI, 1e-15);
  EXPECT_NEAR(rotations(frequencies(128, 10000), 2 * M_PI)[0], 1, 1e-15);
  EXPECT_TRUE(std::isinf(wavelengths(std::vector<double>{0.0})[0]));
}

TEST(Derived, distancesDoNotCancel) {
  const DistanceRange nearest = minDistance({2}, 1000);
  EXPECT_EQ(nearest.minimum_offset, 710);
  EXPECT_NEAR(nearest.minimum, 6.03e-5, 1e-7);
  EXPECT_NEAR(distanceCurve({64}, std::vector<double>{9})[0],
              std::sqrt(64 - 2 * similarityCurve({64}, std::vector<double>{9}, Normalise::none)[0]), 1e-12);
}

TEST(Derived, positionsInSmallFormats) {
  EXPECT_EQ(rounded(257, FloatFormat::bf16), 256);
  EXPECT_EQ(rounded(259, FloatFormat::bf16), 260);
  EXPECT_EQ(rounded(2049, FloatFormat::fp16), 2048);
  EXPECT_EQ(rounded(2051, FloatFormat::fp16), 2052);
  EXPECT_EQ(rounded(16777217, FloatFormat::fp32), 16777216);
  EXPECT_TRUE(std::isinf(rounded(70000, FloatFormat::fp16)));
  EXPECT_EQ(rounded(-257, FloatFormat::bf16), -256);
}

TEST(Derived, tinyNumbersAreSubnormals) {
  EXPECT_EQ(rounded(1.5e-8, FloatFormat::fp16), 0);
  EXPECT_EQ(rounded(std::ldexp(1, -24), FloatFormat::fp16), std::ldexp(1, -24));
  // The slowest pair of a head of 128 with a base of a million is 0.9 % off.
  const double w = std::pow(1e6, -126.0 / 128.0);
  EXPECT_NEAR(std::abs(rounded(w, FloatFormat::fp16) / w - 1), 0.009, 5e-4);
  for (const double v : {1e-40, 3e-45, 1.17e-38, 0.1})
    EXPECT_EQ(rounded(v, FloatFormat::fp32), static_cast<double>(static_cast<float>(v))) << v;
}

}  // namespace
}  // namespace posiscope::measures

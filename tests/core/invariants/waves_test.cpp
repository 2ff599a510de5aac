// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sinusoidal table and the matrices that shift it, for any base, width and order of columns.
#include "core/measures/linear_shift.h"
#include "core/sinusoidal.h"
#include "tests/core/invariants/drawn.h"

#include <gtest/gtest.h>
#include <numeric>

namespace posiscope {
namespace {

using Matrix = std::vector<std::vector<double>>;
using Columns = SinusoidalColumns;
using Frequencies = SinusoidalFrequencies;

constexpr int trials = 60;

SinusoidalParams drawnParams(test::Drawn& drawn) {
  return {.columns = drawn.oneOf({Columns::interleaved, Columns::concatenated}),
          .frequencies = drawn.oneOf({Frequencies::paper, Frequencies::endpoint}),
          .base = drawn.logarithmic(1.5, 1e6),
          .scale = drawn.logarithmic(0.05, 8)};
}

std::vector<double> rowAt(const SinusoidalParams& p, std::int64_t width, double position) {
  std::vector<double> row(static_cast<std::size_t>(width));
  sinusoidalRow<double>(p, sinusoidalFrequencies(p, width), position, row);
  return row;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// M_k, found from the table's numbers.
Matrix shiftMatrix(const SinusoidalParams& p, std::int64_t width, double k) {
  const auto columns = measures::waveColumns(sinusoidalInput<float>(p, 6, width, 0));
  EXPECT_TRUE(columns) << width;
  const auto rows = measures::turnedRows(columns.value(), width, k);
  const auto size = static_cast<std::size_t>(width);
  Matrix m(size, std::vector<double>(size));
  for (std::size_t r = 0; r < size; ++r) {
    m[r][r] = rows[r].diagonal;
    if (rows[r].partner >= 0) m[r][static_cast<std::size_t>(rows[r].partner)] = rows[r].cross;
  }
  return m;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix m(a.size(), std::vector<double>(a.size()));
  for (std::size_t r = 0; r < a.size(); ++r)
    for (std::size_t k = 0; k < a.size(); ++k)
      for (std::size_t c = 0; c < a.size(); ++c) m[r][c] += a[r][k] * b[k][c];
  return m;
}

double determinant(Matrix m) {
  double value = 1;
  for (std::size_t k = 0; k < m.size(); ++k) {
    std::size_t best = k;
    for (std::size_t r = k; r < m.size(); ++r)
      if (std::abs(m[r][k]) > std::abs(m[best][k])) best = r;
    if (best != k) value = -value;
    std::swap(m[k], m[best]);
    value *= m[k][k];
    for (std::size_t r = k + 1; r < m.size(); ++r) {
      const double share = m[r][k] / m[k][k];
      for (std::size_t c = k; c < m.size(); ++c) m[r][c] -= share * m[k][c];
    }
  }
  return value;
}

void expectEqual(const Matrix& a, const Matrix& b, double tolerance) {
  for (std::size_t r = 0; r < a.size(); ++r)
    for (std::size_t c = 0; c < a.size(); ++c) ASSERT_NEAR(a[r][c], b[r][c], tolerance) << r << ", " << c;
}

TEST(WaveInvariants, theShiftMatricesAreAGroupOfRotations) {
  test::Drawn drawn("shift matrices");
  for (int t = 0; t < trials; ++t) {
    const SinusoidalParams p = drawnParams(drawn);
    const auto width = drawn.oneOf<std::int64_t>({2, 4, 6, 10, 14, 32});
    const double a = drawn.between(-40, 40), b = drawn.between(-40, 40);
    const Matrix forward = shiftMatrix(p, width, a), back = shiftMatrix(p, width, -a);
    SCOPED_TRACE(testing::Message() << "width " << width << ", base " << p.base);
    for (std::size_t r = 0; r < forward.size(); ++r)
      for (std::size_t c = 0; c < forward.size(); ++c) ASSERT_EQ(back[r][c], forward[c][r]);
    expectEqual(product(forward, shiftMatrix(p, width, b)), shiftMatrix(p, width, a + b), 1e-12);
    EXPECT_NEAR(determinant(forward), 1, 1e-12);
    EXPECT_GT(std::abs(forward[0][0] - 1), 1e-12) << "a shift that shifts nothing shows nothing";
  }
}

TEST(WaveInvariants, theShiftMatrixTakesEveryRowToItsSuccessor) {
  test::Drawn drawn("shifted rows");
  for (int t = 0; t < trials; ++t) {
    const SinusoidalParams p = drawnParams(drawn);
    const auto width = drawn.oneOf<std::int64_t>({2, 4, 6, 10, 14, 32});
    const double k = drawn.between(-30, 30), position = drawn.between(-500, 500);
    const Matrix m = shiftMatrix(p, width, k);
    const std::vector<double> here = rowAt(p, width, position), there = rowAt(p, width, position + k);
    for (std::size_t d = 0; d < here.size(); ++d) ASSERT_NEAR(dot(m[d], here), there[d], 1e-11 * p.scale) << width;
  }
}

TEST(WaveInvariants, productsOfRowsDependOnTheDistanceWhereEverySineHasItsCosine) {
  test::Drawn drawn("products");
  for (int t = 0; t < trials; ++t) {
    const SinusoidalParams p = drawnParams(drawn);
    const auto width = drawn.oneOf<std::int64_t>({2, 3, 5, 7, 8, 10, 33, 64});
    if (width % 2 == 1 && p.frequencies == Frequencies::paper) continue;
    const double a = drawn.between(-300, 300), b = drawn.between(-300, 300);
    const std::vector<double> w = sinusoidalFrequencies(p, width);
    ASSERT_EQ(std::ssize(w), width / 2) << "an odd width has (d − 1)/2 pairs and a column of zeros";
    double sum = 0;
    for (const double frequency : w) sum += std::cos((a - b) * frequency);
    const double square = p.scale * p.scale;
    EXPECT_NEAR(dot(rowAt(p, width, a), rowAt(p, width, b)), square * sum, 1e-10 * square);
    EXPECT_NEAR(dot(rowAt(p, width, a), rowAt(p, width, a)), square * static_cast<double>(width / 2), 1e-10 * square);
  }
}

TEST(WaveInvariants, aSineWithoutItsCosineBreaksTheDiagonal) {
  test::Drawn drawn("odd widths");
  for (const std::int64_t width : {1, 3, 5, 7, 33}) {
    SinusoidalParams p = drawnParams(drawn);
    p.frequencies = Frequencies::paper;
    const double w = sinusoidalFrequencies(p, width).back(), position = drawn.between(1, 300);
    const std::vector<double> row = rowAt(p, width, position);
    const double alone = std::sin(position * w);
    const double square = p.scale * p.scale;
    EXPECT_NEAR(dot(row, row), square * (static_cast<double>(width / 2) + alone * alone), 1e-10 * square) << width;
    EXPECT_FALSE(measures::waveColumns(sinusoidalInput<float>(p, 6, width, 0))) << width;
  }
}

/// S(k), the product of two rows k apart, is not monotone: where it first turns upward and where it falls below zero.
TEST(WaveInvariants, similarityTurnsUpwardEarlyAndBelowZeroLate) {
  struct Turning {
    std::int64_t width, last_before_rise, first_negative;
  };
  for (const Turning& wanted : {Turning{64, 5, 725}, Turning{128, 11, 1707}, Turning{512, 43, 3284}}) {
    const SinusoidalParams p;
    const std::vector<double> origin = rowAt(p, wanted.width, 0);
    const auto similarity = [&](std::int64_t k) { return dot(origin, rowAt(p, wanted.width, static_cast<double>(k))); };
    std::int64_t k = 0;
    while (similarity(k + 1) <= similarity(k)) ++k;
    EXPECT_EQ(k, wanted.last_before_rise) << wanted.width;
    while (similarity(k) >= 0) ++k;
    EXPECT_EQ(k, wanted.first_negative) << wanted.width;
    EXPECT_NEAR(similarity(-k), similarity(k), 1e-10) << "it cannot tell left from right";
  }
}

TEST(WaveInvariants, theOrderOfColumnsIsAPermutationAndSinesFlip) {
  test::Drawn drawn("orders");
  for (int t = 0; t < trials; ++t) {
    SinusoidalParams p = drawnParams(drawn);
    const auto width = drawn.oneOf<std::int64_t>({1, 2, 3, 6, 7, 20, 33});
    const double position = drawn.between(0, 1000);
    p.columns = Columns::interleaved;
    const std::vector<double> neighbours = rowAt(p, width, position), mirrored = rowAt(p, width, -position);
    SinusoidalParams other = p;
    other.columns = Columns::concatenated;
    const std::vector<double> halves = rowAt(other, width, position);
    for (std::int64_t i = 0; i < std::ssize(sinusoidalFrequencies(p, width)); ++i) {
      const auto sine = sineColumn(p, width, i), cosine = cosineColumn(p, width, i);
      const auto at = [](const std::vector<double>& row, std::int64_t c) { return row[static_cast<std::size_t>(c)]; };
      if (sine >= 0) {
        EXPECT_EQ(at(halves, sineColumn(other, width, i)), at(neighbours, sine));
        EXPECT_EQ(at(mirrored, sine), -at(neighbours, sine));
      }
      if (cosine >= 0) {
        EXPECT_EQ(at(halves, cosineColumn(other, width, i)), at(neighbours, cosine));
        EXPECT_EQ(at(mirrored, cosine), at(neighbours, cosine));
      }
    }
  }
}

}  // namespace
}  // namespace posiscope

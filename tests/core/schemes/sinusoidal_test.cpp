// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sinusoidal.h"

#include "core/parallel.h"
#include "tests/support/encoded.h"

#include <cmath>

namespace posiscope {
namespace {

Shape tableShape(std::int64_t rows, std::int64_t d_model, double first = 0) {
  Shape shape;
  shape.seq_len = rows;
  shape.d_model = d_model;
  shape.first_position = first;
  return shape;
}

Table<double> table(const ParamValues& values, const Shape& shape) {
  return test::encoded("sinusoidal", values, shape).input.table;
}

/// Column `c` of the table, written out from the paper in long double.
double paper(long double position, int c, int d, long double base = 10000) {
  const long double w = std::pow(base, -static_cast<long double>(c / 2 * 2) / d);
  return static_cast<double>(c % 2 ? std::cos(position * w) : std::sin(position * w));
}

TEST(Sinusoidal, isThePapersFormula) {
  for (const int d : {512, 64, 7, 5, 3, 2, 1}) {
    const Table<double> t = table({}, tableShape(50, d));
    ASSERT_EQ(t.cols, d);
    for (int p = 0; p < 50; ++p)
      for (int c = 0; c < d; ++c)
        EXPECT_NEAR(t.row(p)[static_cast<std::size_t>(c)], paper(p, c, d), 2e-14) << p << " " << c;
  }
}

TEST(Sinusoidal, positionsMayBeNegativeFractionalAndFar) {
  for (const double first : {-3.5, 0.125, 1048575.0}) {
    const Table<double> t = table({{"base", 500000.0}}, tableShape(20, 32, first));
    const double tolerance = 1e-14 + std::abs(first) * 4e-16;
    for (int p = 0; p < 20; ++p)
      for (int c = 0; c < 32; ++c)
        EXPECT_NEAR(t.row(p)[static_cast<std::size_t>(c)], paper(first + p, c, 32, 500000), tolerance) << first;
  }
}

TEST(Sinusoidal, concatenatedIsAPermutationOfTheColumns) {
  for (const int d : {16, 7}) {
    const Table<double> a = table({}, tableShape(20, d));
    const Table<double> b = table({{"columns", std::string("concatenated")}}, tableShape(20, d));
    const int sines = (d + 1) / 2;
    for (int p = 0; p < 20; ++p)
      for (int c = 0; c < d; ++c)
        EXPECT_EQ(b.row(p)[static_cast<std::size_t>(c % 2 ? sines + c / 2 : c / 2)],
                  a.row(p)[static_cast<std::size_t>(c)]);
  }
}

TEST(Sinusoidal, endpointEndsAtTheBase) {
  const ParamValues values{{"columns", std::string("concatenated")}, {"frequencies", std::string("endpoint")}};
  const Table<double> t = table(values, tableShape(16, 9));
  for (int p = 0; p < 16; ++p) {
    for (int i = 0; i < 4; ++i) {
      const double w = std::pow(10000.0, -i / 3.0);
      EXPECT_NEAR(t.row(p)[static_cast<std::size_t>(i)], std::sin(p * w), 1e-14);
      EXPECT_NEAR(t.row(p)[static_cast<std::size_t>(i + 4)], std::cos(p * w), 1e-14);
    }
    EXPECT_EQ(t.row(p)[8], 0);
  }
  const Table<double> one_pair = table(values, tableShape(8, 3));
  EXPECT_NEAR(one_pair.row(5)[0], std::sin(5.0), 1e-15);  // the divisor is max(h − 1, 1)
  EXPECT_EQ(one_pair.row(5)[2], 0);
  EXPECT_EQ(table(values, tableShape(2, 1)).row(1)[0], 0);
}

TEST(Sinusoidal, everyRowHasTheSameLengthAndMovesByARotation) {
  const Table<double> t = table({}, tableShape(200, 64));
  const std::vector<double> w = sinusoidalFrequencies({}, 64);
  for (int p = 0; p < 190; ++p) {
    double norm = 0;
    for (const double v : t.row(p)) norm += v * v;
    EXPECT_NEAR(norm, 32, 1e-12);
    for (std::size_t i = 0; i < 32; ++i) {
      const double sine = t.row(p)[2 * i], cosine = t.row(p)[2 * i + 1];
      EXPECT_NEAR(t.row(p + 7)[2 * i], std::cos(7 * w[i]) * sine + std::sin(7 * w[i]) * cosine, 1e-13);
      EXPECT_NEAR(t.row(p + 7)[2 * i + 1], -std::sin(7 * w[i]) * sine + std::cos(7 * w[i]) * cosine, 1e-13);
    }
  }
}

TEST(Sinusoidal, aRowAloneIsTheTablesRow) {
  for (const auto columns : {SinusoidalColumns::interleaved, SinusoidalColumns::concatenated})
    for (const auto frequencies : {SinusoidalFrequencies::paper, SinusoidalFrequencies::endpoint})
      for (const std::int64_t d : {8, 9}) {
        const SinusoidalParams p{.columns = columns, .frequencies = frequencies, .base = 300, .scale = 0.5};
        const Table<double> whole = sinusoidalTable<double>(p, 40, d, 2.5);
        const std::vector<double> w = sinusoidalFrequencies(p, d);
        std::vector<double> row(static_cast<std::size_t>(d), -1);
        for (std::int64_t r = 0; r < 40; ++r) {
          sinusoidalRow<double>(p, w, 2.5 + static_cast<double>(r), row);
          for (std::size_t c = 0; c < row.size(); ++c) EXPECT_NEAR(row[c], whole.row(r)[c], 1e-14);
        }
        for (std::int64_t i = 0; i < 5; ++i) {
          const std::int64_t s = sineColumn(p, d, i), c = cosineColumn(p, d, i);
          if (s >= 0) {
            EXPECT_NEAR(row[static_cast<std::size_t>(s)], 0.5 * std::sin(41.5 * w[static_cast<std::size_t>(i)]), 1e-14);
          }
          if (c >= 0) {
            EXPECT_NEAR(row[static_cast<std::size_t>(c)], 0.5 * std::cos(41.5 * w[static_cast<std::size_t>(i)]), 1e-14);
          }
        }
      }
}

TEST(Sinusoidal, floatIsTheRoundedDouble) {
  const Shape shape = tableShape(300, 48, 12345.0);
  const Table<float> narrow = test::encoded<float>("sinusoidal", {}, shape).input.table;
  const Table<double> wide = table({}, shape);
  for (std::size_t c = 0; c < wide.values.size(); ++c) EXPECT_EQ(narrow.values[c], static_cast<float>(wide.values[c]));
}

TEST(Sinusoidal, aTableTooLargeIsRefusedBeforeItIsMade) {
  const double before = memoryLimit();
  setMemoryLimit(16.0 * 1024 * 1024);
  // Stored up to 32 MiB.
  const Shape shape = tableShape(2048, 4096);
  EXPECT_TRUE(test::refusal("sinusoidal", {}, shape)
                  .starts_with("sinusoidal: the table would need 32 MiB, the limit is 16 MiB; "));
  EXPECT_EQ(schemes::find("sinusoidal")->encode(ParamValues{}, shape).error().code, ErrorCode::too_large);
  // 16 GiB would not be stored: three factors of 64, 64 and 257 rows are.
  EXPECT_EQ(test::refusal("sinusoidal", {}, tableShape(1 << 20, 4096)), "accepted");
  EXPECT_TRUE(test::refusal("sinusoidal", {}, tableShape(1 << 24, 1 << 16))
                  .starts_with("sinusoidal: the table would need 2.06 GiB, the limit is 16 MiB; "));
  setMemoryLimit(before);
}

TEST(Sinusoidal, dependsOnAbsolutePosition) {
  EXPECT_FALSE(test::encoded("sinusoidal", {}, tableShape(4, 8)).offset_only);
}

}  // namespace
}  // namespace posiscope

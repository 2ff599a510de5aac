// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fourier_features.h"
#include "core/random.h"
#include "tests/support/encoded.h"

#include <cmath>
#include <numbers>
#include <numeric>

namespace posiscope {
namespace {

Shape pointShape(std::int64_t length, std::int64_t d_model) {
  Shape shape;
  shape.seq_len = length;
  shape.d_model = d_model;
  return shape;
}

Array randomArray(std::int64_t rows, std::int64_t cols, const char* name) {
  const Stream stream(5, name);
  std::vector<double> values(static_cast<std::size_t>(rows * cols));
  for (std::size_t e = 0; e < values.size(); ++e) values[e] = stream.normal(e);
  return makeArray({rows, cols}, std::move(values));
}

Table<double> tableOf(const ParamValues& values, const Shape& shape) {
  return test::encoded("fourier", values, shape).input.table;
}

TEST(Fourier, bothOrdersHoldTheSameNumbers) {
  for (const std::int64_t axes : {1, 2, 3}) {
    const std::int64_t m = 5;
    ParamValues values{{"coordinates", randomArray(7, axes, "points")}, {"directions", randomArray(m, axes, "b")}};
    const Table<double> code = tableOf(values, pointShape(7, 2 * m));
    values["order"] = std::string("paper");
    const Table<double> paper = tableOf(values, pointShape(7, 2 * m));
    for (std::int64_t t = 0; t < 7; ++t)
      for (std::size_t j = 0; j < 5; ++j) {
        EXPECT_EQ(code.row(t)[j], paper.row(t)[2 * j + 1]);
        EXPECT_EQ(code.row(t)[5 + j], paper.row(t)[2 * j]);
      }
  }
}

TEST(Fourier, productOfTwoPointsIsTheKernel) {
  const Array points = randomArray(9, 2, "points"), directions = randomArray(6, 2, "b");
  const Table<double> t = tableOf({{"coordinates", points}, {"directions", directions}}, pointShape(9, 12));
  const Table<double> kernel = fourierKernel({directions.data(), 6, 2}, {points.data(), 9, 2});
  for (std::int64_t i = 0; i < 9; ++i) {
    EXPECT_DOUBLE_EQ(kernel.row(i)[static_cast<std::size_t>(i)], 6);
    for (std::int64_t j = 0; j < 9; ++j) {
      const double product = std::inner_product(t.row(i).begin(), t.row(i).end(), t.row(j).begin(), 0.0);
      EXPECT_NEAR(product, kernel.row(i)[static_cast<std::size_t>(j)], 1e-12);
      EXPECT_EQ(kernel.row(i)[static_cast<std::size_t>(j)], kernel.row(j)[static_cast<std::size_t>(i)]);
    }
  }
}

TEST(Fourier, kernelDependsOnTheDifferenceOnly) {
  const Array directions = randomArray(6, 2, "b");
  const std::vector<double> points{0.25, -0.5, 0.75, 0.125, 1.25, 0.5, 1.75, 1.125};  // the last two moved by (1, 1)
  const Table<double> kernel = fourierKernel({directions.data(), 6, 2}, {points.data(), 4, 2});
  EXPECT_NEAR(kernel.row(0)[1], kernel.row(2)[3], 1e-13);
}

TEST(Fourier, octavesFollowThePaperAndTheCode) {
  const Array points = randomArray(4, 3, "points");
  for (const bool pi : {true, false})
    for (const bool input : {true, false}) {
      const std::int64_t width = input ? 15 : 12;
      const Table<double> t = tableOf({{"form", std::string("banded")},
                                       {"num_freqs", 2.0},
                                       {"use_pi", pi},
                                       {"include_input", input},
                                       {"coordinates", points}},
                                      pointShape(4, width + 2));
      for (std::int64_t n = 0; n < 4; ++n) {
        std::vector<double> wanted;
        if (input)
          for (int a = 0; a < 3; ++a) wanted.push_back(points.data()[n * 3 + a]);
        for (const double octave : {1.0, 2.0})
          for (double (*wave)(double) :
               {static_cast<double (*)(double)>(std::sin), static_cast<double (*)(double)>(std::cos)})
            for (int a = 0; a < 3; ++a)
              wanted.push_back(wave(octave * (pi ? std::numbers::pi : 1) * points.data()[n * 3 + a]));
        wanted.resize(static_cast<std::size_t>(width + 2));  // columns left over are zero
        for (std::size_t c = 0; c < wanted.size(); ++c) EXPECT_NEAR(t.row(n)[c], wanted[c], 1e-14);
      }
    }
}

TEST(Fourier, aLineTurnsAtItsFrequencies) {
  for (const char* span : {"unit", "centered", "positions"}) {
    const Encoding<double> e =
        test::encoded("fourier", {{"span", std::string(span)}, {"sigma", 0.3}}, pointShape(20, 8));
    ASSERT_EQ(e.input.frequency.size(), 4u);
    const Table<double>& t = e.input.table;
    for (const std::int64_t k : {0, 1, 7}) {
      double wanted = 0;
      for (const double w : e.input.frequency) wanted += std::cos(static_cast<double>(k) * w);
      const double product = std::inner_product(t.row(3).begin(), t.row(3).end(), t.row(3 + k).begin(), 0.0);
      EXPECT_NEAR(product, wanted, 1e-12) << span;
    }
  }
}

TEST(Fourier, coordinatesOfAGridAreItsRowsAndColumns) {
  Shape shape = pointShape(6, 4);
  shape.grid_height = 2;
  const Array directions = makeArray({2, 2}, std::vector<double>{1, 0, 0, 1});
  const Table<double> t =
      tableOf({{"points", std::string("grid")}, {"span", std::string("centered")}, {"directions", directions}}, shape);
  for (std::int64_t n = 0; n < 6; ++n) {
    const double y = 2 * (static_cast<double>(n / 3) + 0.5) / 2 - 1, x = 2 * (static_cast<double>(n % 3) + 0.5) / 3 - 1;
    EXPECT_NEAR(t.row(n)[0], std::sin(2 * std::numbers::pi * y), 1e-15);
    EXPECT_NEAR(t.row(n)[3], std::cos(2 * std::numbers::pi * x), 1e-15);
  }
}

TEST(Fourier, refusesInASentence) {
  EXPECT_EQ(test::refusal("fourier", {}, pointShape(4, 5)),
            "fourier: d_model must be even (as many sines as cosines), got 5");
  EXPECT_EQ(test::refusal("fourier", {{"form", std::string("banded")}}, pointShape(4, 19)),
            "fourier: 10 octaves of 1 coordinates need d_model of at least 20, got 19");
  EXPECT_EQ(test::refusal("fourier", {{"directions", randomArray(4, 2, "b")}}, pointShape(4, 8)),
            "fourier: directions must have shape (4, 1), got (4, 2)");
  EXPECT_EQ(test::refusal("fourier", {{"coordinates", randomArray(4, 2, "v")}}, pointShape(5, 8)),
            "fourier: coordinates must be (seq_len 5, axes), got (4, 2)");
}

}  // namespace
}  // namespace posiscope

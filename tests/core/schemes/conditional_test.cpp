// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/random.h"
#include "tests/support/attending.h"
#include "tests/support/encoded.h"

#include <algorithm>
#include <set>

namespace posiscope {
namespace {

Shape pictureShape(std::int64_t height, std::int64_t width, std::int64_t channels, std::int64_t prefix = 0) {
  Shape shape;
  shape.seq_len = height * width + prefix;
  shape.grid_height = height;
  shape.grid_width = width;
  shape.d_model = channels;
  return shape;
}

Table<double> picture(const Shape& shape, const char* name) {
  const Stream stream(2, name);
  Table<double> x = makeTable<double>(shape.seq_len, shape.d_model);
  for (std::size_t e = 0; e < x.values.size(); ++e) x.values[e] = stream.normal(e);
  return x;
}

Table<double> applied(const ParamValues& values, const Shape& shape, const Table<double>& x) {
  return attention::applyInput(test::encoded("conditional", values, shape).input, rowsOf(x));
}

ParamValues padded(const char* padding, ParamValues values = {}) {
  values["padding"] = std::string(padding);
  return values;
}

/// The place that the padding puts for one outside; −1 = a zero.
std::int64_t placeOf(const std::string& padding, std::int64_t place, std::int64_t side) {
  if (padding == "edge") return place < 0 ? 0 : place >= side ? side - 1 : place;
  while (padding == "circular" && place < 0) place += side;
  while (padding == "circular" && place >= side) place -= side;
  return place < 0 || place >= side ? -1 : place;
}

TEST(Conditional, isTheDefinition) {
  const Array bias = makeArray({2}, std::vector<double>{0.5, -0.25});
  for (const auto& [height, width] : {std::pair{1, 1}, {1, 6}, {3, 5}})
    for (const std::int64_t kernel : {1, 3, 5})
      for (const auto& [padding, residual] :
           {std::pair{"zero", true}, {"zero", false}, {"edge", true}, {"circular", false}}) {
        const Shape shape = pictureShape(height, width, 2);
        const Table<double> x = picture(shape, "x");
        Shape taps = pictureShape(kernel, kernel, 2);
        const Array weight = makeArray({2, kernel, kernel}, picture(taps, "weight").values);
        const ParamValues values{
            {"kernel", static_cast<double>(kernel)}, {"residual", residual}, {"weight", weight}, {"bias", bias}};
        const Table<double> y = applied(padded(padding, values), shape, x);
        for (std::int64_t t = 0; t < shape.seq_len; ++t)
          for (std::int64_t c = 0; c < 2; ++c) {
            double wanted = bias.data()[c] + (residual ? x.row(t)[static_cast<std::size_t>(c)] : 0);
            for (std::int64_t u = 0; u < kernel; ++u)
              for (std::int64_t v = 0; v < kernel; ++v) {
                const std::int64_t row = placeOf(padding, t / width + u - kernel / 2, height);
                const std::int64_t column = placeOf(padding, t % width + v - kernel / 2, width);
                if (row >= 0 && column >= 0)
                  wanted += weight.data()[(c * kernel + u) * kernel + v] *
                            x.row(row * width + column)[static_cast<std::size_t>(c)];
              }
            EXPECT_NEAR(y.row(t)[static_cast<std::size_t>(c)], wanted, 1e-13) << padding;
          }
      }
}

TEST(Conditional, zerosTellConstantContentWhereTheBorderIs) {
  const Shape shape = pictureShape(7, 9, 1);
  Table<double> ones = makeTable<double>(63, 1);
  std::ranges::fill(ones.values, 1);
  for (const std::int64_t times : {1, 2, 3}) {
    const Table<double> y = applied({{"stacked", static_cast<double>(times)}}, shape, ones);
    for (std::int64_t row = 0; row < 7; ++row)
      for (std::int64_t column = 0; column < 9; ++column) {
        const std::int64_t depth = std::min({row, column, 6 - row, 8 - column});
        const double difference = std::abs(y.row(row * 9 + column)[0] - y.row(3 * 9 + 4)[0]);
        if (depth >= times)
          EXPECT_LT(difference, 1e-13) << "each application reaches one patch further in";
        else
          EXPECT_GT(difference, 1e-9);
      }
  }
}

TEST(Conditional, aRingAndARepeatedEdgeTellNothing) {
  const Shape shape = pictureShape(4, 5, 2);
  Table<double> ones = makeTable<double>(20, 2);
  std::ranges::fill(ones.values, 1);
  for (const char* padding : {"circular", "edge"}) {
    const Table<double> y = applied(padded(padding), shape, ones);
    for (std::int64_t t = 1; t < 20; ++t)
      for (std::size_t c = 0; c < 2; ++c) EXPECT_NEAR(y.row(t)[c], y.row(0)[c], 1e-14) << padding;
  }
}

TEST(Conditional, aRingMovesWithItsContent) {
  const Shape shape = pictureShape(3, 5, 2);
  const Table<double> x = picture(shape, "x");
  Table<double> moved = makeTable<double>(15, 2);
  const auto to = [](std::int64_t t) { return (t / 5 + 1) % 3 * 5 + (t % 5 + 2) % 5; };
  for (std::int64_t t = 0; t < 15; ++t) std::ranges::copy(x.row(t), moved.row(to(t)).begin());
  const Table<double> y = applied(padded("circular", {{"kernel", 5.0}}), shape, x);
  const Table<double> z = applied(padded("circular", {{"kernel", 5.0}}), shape, moved);
  for (std::int64_t t = 0; t < 15; ++t)
    for (std::size_t c = 0; c < 2; ++c) EXPECT_NEAR(y.row(t)[c], z.row(to(t))[c], 1e-13);
}

TEST(Conditional, theClassTokenIsLeftOut) {
  const Shape with = pictureShape(3, 3, 2, 1);
  Table<double> x = picture(with, "x");
  const Table<double> y = applied({{"prefix_tokens", 1.0}, {"stacked", 2.0}}, with, x);
  EXPECT_TRUE(std::ranges::equal(y.row(0), x.row(0)));
  Table<double> patches = {9, 2, {x.values.begin() + 2, x.values.end()}};
  const Table<double> without = applied({{"stacked", 2.0}}, pictureShape(3, 3, 2), patches);
  EXPECT_TRUE(std::equal(without.values.begin(), without.values.end(), y.values.begin() + 2));
}

TEST(Conditional, refusesInASentence) {
  EXPECT_EQ(test::refusal("conditional", {{"kernel", 4.0}}, pictureShape(2, 2, 3)),
            "conditional: kernel must be odd, to have a centre, got 4");
  EXPECT_EQ(
      test::refusal("conditional", {{"weight", makeArray({3, 3}, std::vector<double>(9))}}, pictureShape(2, 2, 3)),
      "conditional: weight must have shape (3, 3, 3), got (3, 3)");
}

}  // namespace
}  // namespace posiscope

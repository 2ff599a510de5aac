// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/encoded.h"

#include <cmath>
#include <numeric>

namespace posiscope {
namespace {

Shape boxShape(const std::vector<double>& sizes, std::int64_t d_model) {
  Shape shape;
  shape.seq_len = static_cast<std::int64_t>(std::accumulate(sizes.begin(), sizes.end(), 1.0, std::multiplies<>()));
  shape.d_model = d_model;
  return shape;
}

Table<double> tableOf(ParamValues values, const std::vector<double>& sizes, std::int64_t d_model) {
  values["sizes"] = sizes;
  return test::encoded("sinusoidal_nd", values, boxShape(sizes, d_model)).input.table;
}

TEST(SinusoidalNd, isTheFormulaForAnyNumberOfAxes) {
  for (const auto& [sizes, d_model] : std::vector<std::pair<std::vector<double>, std::int64_t>>{
           {{7}, 6}, {{1, 5}, 9}, {{2, 3, 4}, 25}, {{2, 1, 3, 2}, 16}})
    for (const bool endpoint : {false, true}) {
      const Table<double> t =
          tableOf({{"frequencies", std::string(endpoint ? "endpoint" : "paper")}, {"base", 300.0}}, sizes, d_model);
      const auto q = d_model / static_cast<std::int64_t>(2 * sizes.size());
      const double steps = static_cast<double>(endpoint ? std::max<std::int64_t>(q - 1, 1) : q);
      for (std::int64_t token = 0; token < t.rows; ++token) {
        std::int64_t rest = token;
        for (std::size_t a = sizes.size(); a-- > 0;) {
          const auto side = static_cast<std::int64_t>(sizes[a]);
          const auto place = static_cast<double>(rest % side);
          rest /= side;
          for (std::int64_t i = 0; i < q; ++i) {
            const double angle = place * std::pow(300.0, -static_cast<double>(i) / steps);
            const auto at = static_cast<std::size_t>(2 * q * static_cast<std::int64_t>(a) + i);
            EXPECT_NEAR(t.row(token)[at], std::sin(angle), 1e-14);
            EXPECT_NEAR(t.row(token)[at + static_cast<std::size_t>(q)], std::cos(angle), 1e-14);
          }
        }
        for (auto c = static_cast<std::size_t>(2 * q) * sizes.size(); c < static_cast<std::size_t>(d_model); ++c)
          EXPECT_EQ(t.row(token)[c], 0);
      }
    }
}

TEST(SinusoidalNd, oneAxisIsTheConcatenatedTable) {
  const Table<double> box = tableOf({}, {9}, 8);
  Shape shape = boxShape({9}, 8);
  const Table<double> line = test::encoded("sinusoidal", {{"columns", std::string("concatenated")}}, shape).input.table;
  for (std::size_t e = 0; e < box.values.size(); ++e) EXPECT_NEAR(box.values[e], line.values[e], 1e-14);
}

TEST(SinusoidalNd, withoutSizesIsTheGrid) {
  Shape shape = boxShape({3, 5}, 12);
  shape.grid_height = 3;
  const ParamValues custom{{"variant", std::string("custom")}, {"first_axis", std::string("y")}};
  EXPECT_EQ(test::encoded("sinusoidal_nd", {}, shape).input.table.values,
            test::encoded("sinusoidal_2d", custom, shape).input.table.values);
}

TEST(SinusoidalNd, refusesInASentence) {
  const auto refusal = [](const std::vector<double>& sizes, std::int64_t seq_len, std::int64_t d_model) {
    Shape shape;
    shape.seq_len = seq_len;
    shape.d_model = d_model;
    return test::refusal("sinusoidal_nd", {{"sizes", sizes}}, shape);
  };
  EXPECT_EQ(refusal({2, 3, 4}, 23, 12), "sinusoidal_nd: seq_len must be the product of sizes [2,3,4] = 24, got 23");
  EXPECT_EQ(refusal({2, 2, 2}, 8, 5),
            "sinusoidal_nd: d_model must be at least 6 (a sine and a cosine for each of 3 axes), got 5");
  EXPECT_EQ(refusal({2, 0.5}, 1, 8), "sinusoidal_nd: each of sizes must be 1 to 16777216, got 0.5");
  EXPECT_EQ(refusal({2, 0}, 1, 8), "sinusoidal_nd: each of sizes must be 1 to 16777216, got 0");
}

}  // namespace
}  // namespace posiscope

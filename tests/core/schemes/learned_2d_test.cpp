// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/random.h"
#include "tests/support/encoded.h"

#include <algorithm>

namespace posiscope {
namespace {

Shape gridShape(std::int64_t height, std::int64_t width, std::int64_t d_model) {
  Shape shape;
  shape.seq_len = height * width;
  shape.grid_height = height;
  shape.grid_width = width;
  shape.d_model = d_model;
  return shape;
}

Array numbered(std::int64_t rows, std::int64_t cols, double first) {
  std::vector<double> values(static_cast<std::size_t>(rows * cols));
  for (std::size_t e = 0; e < values.size(); ++e) values[e] = first + static_cast<double>(e);
  return makeArray({rows, cols}, std::move(values));
}

Table<double> tableOf(const ParamValues& values, const Shape& shape) {
  return test::encoded("learned_2d", values, shape).input.table;
}

TEST(Learned2d, columnStandsFirstAsInDetr) {
  const ParamValues tables{{"row_table", numbered(50, 2, 1000)}, {"column_table", numbered(50, 2, 0)}};
  const Table<double> t = tableOf(tables, gridShape(3, 5, 4));
  for (std::int64_t token = 0; token < 15; ++token) {
    const double x = static_cast<double>(token % 5), y = static_cast<double>(token / 5);
    EXPECT_EQ((std::vector<double>{t.row(token).begin(), t.row(token).end()}),
              (std::vector<double>{2 * x, 2 * x + 1, 1000 + 2 * y, 1001 + 2 * y}));
  }
  ParamValues rows_first = tables;
  rows_first["order"] = std::string("row_first");
  EXPECT_EQ(tableOf(rows_first, gridShape(3, 5, 4)).row(7)[0], 1002);
}

TEST(Learned2d, addedVectorsAreSummed) {
  const Table<double> t =
      tableOf({{"mode", std::string("added")}, {"row_table", numbered(3, 5, 100)}, {"column_table", numbered(7, 5, 0)}},
              gridShape(3, 7, 5));
  for (std::int64_t token = 0; token < 21; ++token)
    for (std::size_t c = 0; c < 5; ++c)
      EXPECT_EQ(t.row(token)[c], 100 + static_cast<double>(5 * (token / 7 + token % 7)) + 2 * static_cast<double>(c));
}

TEST(Learned2d, drawnVectorsAreSharedAndDoNotDependOnTheGrid) {
  const Table<double> small = tableOf({}, gridShape(2, 3, 6));
  const Table<double> large = tableOf({}, gridShape(5, 4, 6));
  for (std::int64_t y = 0; y < 2; ++y)
    for (std::int64_t x = 0; x < 3; ++x) EXPECT_TRUE(std::ranges::equal(small.row(y * 3 + x), large.row(y * 4 + x)));
  const Stream stream(1, "learned_2d/column_table");
  EXPECT_EQ(large.row(1)[0], stream.unit(3, 0));
  EXPECT_GE(std::ranges::min(large.values), 0);
  EXPECT_LT(std::ranges::max(large.values), 1);
  const Table<double> normal = tableOf({{"initial", std::string("normal")}, {"std", 0.5}}, gridShape(5, 4, 6));
  EXPECT_EQ(normal.row(1)[0], 0.5 * stream.normal(3));
}

TEST(Learned2d, aLargerPictureIsAnError) {
  EXPECT_EQ(test::refusal("learned_2d", {}, gridShape(51, 2, 4)),
            "learned_2d: row_table has 50 rows, the grid needs 51");
  EXPECT_EQ(schemes::find("learned_2d")->check({}, gridShape(2, 51, 4)).error().code, ErrorCode::past_table);
  EXPECT_EQ(test::refusal("learned_2d", {}, gridShape(50, 50, 4)), "accepted");
  EXPECT_EQ(test::refusal("learned_2d", {{"column_table", numbered(4, 2, 0)}}, gridShape(2, 5, 4)),
            "learned_2d: column_table has 4 rows, the grid needs 5");
}

TEST(Learned2d, widthsMustFit) {
  EXPECT_EQ(test::refusal("learned_2d", {}, gridShape(2, 2, 5)),
            "learned_2d: d_model must be even, half for the row and half for the column, got 5");
  EXPECT_EQ(test::refusal("learned_2d", {{"mode", std::string("added")}}, gridShape(2, 2, 5)), "accepted");
  EXPECT_EQ(test::refusal("learned_2d", {{"row_table", numbered(4, 4, 0)}}, gridShape(2, 2, 4)),
            "learned_2d: row_table must be (positions, 2), got (4, 4)");
}

}  // namespace
}  // namespace posiscope

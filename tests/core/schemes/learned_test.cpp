// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sampling.h"
#include "tests/support/encoded.h"

#include <algorithm>
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

Array counted(std::int64_t rows, std::int64_t cols) {
  std::vector<double> values(static_cast<std::size_t>(rows * cols));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  return makeArray({rows, cols}, std::move(values), "wpe.npy");
}

TEST(Learned, looksUpTheRowsOfAGivenTable) {
  const ParamValues values{{"table", counted(16, 3)}, {"initial", std::string("file")}};
  const Table<double> t = test::encoded("learned", values, tableShape(4, 3, 7)).input.table;
  for (std::int64_t r = 0; r < 4; ++r)
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_EQ(t.row(r)[c], static_cast<double>((7 + r) * 3) + static_cast<double>(c));
  // The last row can be reached, a given table needs no word for it.
  EXPECT_EQ(test::encoded("learned", {{"table", counted(16, 3)}}, tableShape(1, 3, 15)).input.table.row(0)[2], 47);
}

TEST(Learned, aPositionPastTheTableIsAnErrorThatSaysSo) {
  const ParamValues values{{"table", counted(16, 3)}};
  EXPECT_EQ(test::refusal("learned", values, tableShape(17, 3)),
            "learned: position 16 is past the table; the table has positions 0 to 15");
  EXPECT_EQ(test::refusal("learned", values, tableShape(1, 3, -1)),
            "learned: position \u22121 is negative; the table has positions 0 to 15");
  EXPECT_EQ(test::refusal("learned", values, tableShape(1, 3, 0.5)),
            "learned: position 0.5 is not a whole number; the table has positions 0 to 15");
  EXPECT_EQ(schemes::find("learned")->check({}, tableShape(1025, 8)).error().code, ErrorCode::past_table);
  EXPECT_EQ(test::refusal("learned", {{"max_positions", 1025.0}}, tableShape(1025, 8)), "accepted");
}

TEST(Learned, aTableOfAnotherWidthIsRefused) {
  EXPECT_EQ(test::refusal("learned", {{"table", counted(16, 3)}}, tableShape(4, 4)),
            "learned: the table must be (positions, d_model 4), got (16, 3)");
  EXPECT_EQ(test::refusal("learned", {{"table", makeArray({3}, {1, 2, 3})}}, tableShape(1, 3)),
            "learned: the table must be (positions, d_model 3), got (3,)");
  EXPECT_EQ(test::refusal("learned", {{"initial", std::string("file")}}, tableShape(1, 3)),
            "learned: initial 'file' needs a table, e.g. table=@wpe.npy; none was given");
}

TEST(Learned, drawnRowsDoNotDependOnWhereOneStarts) {
  const Table<double> whole = test::encoded("learned", {}, tableShape(40, 6)).input.table;
  const Table<double> part = test::encoded("learned", {}, tableShape(10, 6, 30)).input.table;
  for (std::int64_t r = 0; r < 10; ++r)
    for (std::size_t c = 0; c < 6; ++c) EXPECT_EQ(part.row(r)[c], whole.row(30 + r)[c]);
}

TEST(Learned, stdAndSeedAreUsed) {
  const auto values = [](double std, double seed) {
    return test::encoded("learned", {{"std", std}, {"seed", seed}}, tableShape(4, 5)).input.table.values;
  };
  const std::vector<double> one = values(1, 1), half = values(0.5, 1);
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_DOUBLE_EQ(half[i], one[i] / 2);
  EXPECT_NE(one, values(1, 2));
}

TEST(Learned, truncatedValuesStayWithinTwoStd) {
  const ParamValues values{{"initial", std::string("truncated_normal")}, {"std", 0.02}};
  const Table<double> t = test::encoded("learned", values, tableShape(512, 64)).input.table;
  EXPECT_LE(std::ranges::max(t.values), 0.04);
  EXPECT_GE(std::ranges::min(t.values), -0.04);
  EXPECT_GT(std::ranges::max(t.values), 0.039);
  const Stream stream(1, "init/pe.table");
  EXPECT_EQ(t.values[65], 0.02 * truncatedNormalQuantile(stream.unit(65, 0), -2, 2));
}

}  // namespace
}  // namespace posiscope

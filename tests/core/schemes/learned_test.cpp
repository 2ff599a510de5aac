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

TEST(Learned, aTableWhoseFileIsAskedForIsNotOneThatWasNotGiven) {
  const ParamValues values{{"initial", std::string("file")}, {"table", Array{{}, nullptr, "/gone/wpe.npy"}}};
  EXPECT_EQ(test::refusal("learned", values, tableShape(1, 3)),
            "learned: table: the file wpe.npy is missing or has changed");
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

TEST(Learned, threeKindsOfTruncatedNormal) {
  const auto drawn = [](const char* initial, double std) {
    const ParamValues values{{"initial", std::string(initial)}, {"std", std}};
    return test::encoded("learned", values, tableShape(512, 64));
  };
  const auto deviation = [](const Encoding<double>& e) {
    double squares = 0;
    for (const double v : e.input.table.values) squares += v * v;
    return std::sqrt(squares / static_cast<double>(e.input.table.values.size()));
  };
  const auto near = [&](const Encoding<double>& e, double wanted) {
    EXPECT_NEAR(deviation(e), wanted, 5 * wanted / std::sqrt(2 * 512.0 * 64));
    EXPECT_NEAR(e.facts.front().value, wanted, 1e-6);
  };
  near(drawn("truncated_normal", 0.02), 0.8796256 * 0.02);  // BERT: the real deviation is smaller
  near(drawn("truncated_absolute", 0.02), 0.02);            // PyTorch: ±2 is ±100 std, nothing is cut
  near(drawn("truncated_rescaled", 0.02), 0.02);            // JAX
  EXPECT_GT(std::ranges::max(drawn("truncated_absolute", 0.02).input.table.values), 0.06);
  EXPECT_LE(std::ranges::max(drawn("truncated_absolute", 5).input.table.values), 2);
  EXPECT_LE(std::ranges::max(drawn("truncated_rescaled", 0.02).input.table.values), 0.04 / 0.8796256);
  for (const double v : drawn("truncated_absolute", 0).input.table.values) EXPECT_EQ(v, 0);
}

TEST(Learned, rowsInFrontBelongToNoPosition) {
  const ParamValues roberta{{"table", counted(16, 3)}, {"position_offset", 2.0}};
  EXPECT_EQ(test::encoded("learned", roberta, tableShape(14, 3)).input.table.row(0)[0], 6);
  EXPECT_EQ(test::refusal("learned", roberta, tableShape(15, 3)),
            "learned: position 14 is past the table; the table has positions 0 to 13");
  EXPECT_EQ(test::refusal("learned", {{"max_positions", 2.0}, {"position_offset", 2.0}}, tableShape(1, 3)),
            "learned: position_offset 2 leaves no row of a table of 2");
  const Table<double> shifted = test::encoded("learned", {{"position_offset", 2.0}}, tableShape(5, 3)).input.table;
  EXPECT_EQ(shifted.values, test::encoded("learned", {}, tableShape(5, 3, 2)).input.table.values);
}

TEST(Learned, aTableIsStretchedOverTheSequence) {
  const ParamValues twice{{"table", counted(4, 1)}, {"resample", std::string("linear")}};
  EXPECT_EQ(test::encoded("learned", twice, tableShape(8, 1)).input.table.values,
            (std::vector<double>{0, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3}));
  EXPECT_EQ(test::encoded("learned", twice, tableShape(4, 1)).input.table.values, (std::vector<double>{0, 1, 2, 3}));
  // The stretched table ends where the sequence does.
  EXPECT_EQ(test::refusal("learned", twice, tableShape(8, 1, 1)),
            "learned: position 8 is past the table; the table has positions 0 to 7");
}

TEST(Learned, prefixRowsAreKeptWhenAGridIsStretched) {
  Shape shape = tableShape(1 + 6 * 4, 1);
  shape.grid_height = 6;
  shape.grid_width = 4;
  const ParamValues values{{"table", counted(1 + 24, 1)},
                           {"resample", std::string("cubic")},
                           {"resample_along", std::string("grid")},
                           {"prefix_tokens", 1.0},
                           {"table_height", 4.0},
                           {"table_width", 6.0}};
  const Table<double> t = test::encoded("learned", values, shape).input.table;
  EXPECT_EQ(t.values[0], 0);
  double sum = 0;
  for (std::size_t e = 1; e < 25; ++e) sum += t.values[e];
  EXPECT_NEAR(sum / 24, 12.5, 1e-12);  // symmetric weights keep the mean
}

TEST(Learned, resamplingRefusesInASentence) {
  const auto refusal = [](ParamValues values, const Shape& shape) {
    values["resample"] = std::string("cubic");
    values["resample_along"] = std::string("grid");
    return test::refusal("learned", values, shape);
  };
  EXPECT_EQ(refusal({{"table", counted(24, 1)}}, tableShape(9, 1)),
            "learned: a table of 24 patches is not square; give table_height and table_width");
  EXPECT_EQ(refusal({{"table", counted(24, 1)}, {"table_height", 5.0}}, tableShape(9, 1)),
            "learned: table_height × table_width = 5 × 0 must make up the table's 24 patches");
  EXPECT_EQ(refusal({{"table", counted(25, 1)}, {"antialias", true}, {"align_corners", true}}, tableShape(9, 1)),
            "learned: antialias needs half-pixel centres, align_corners must be off");
  EXPECT_EQ(refusal({{"table", counted(25, 1)}, {"prefix_tokens", 9.0}}, tableShape(9, 1)),
            "learned: resampling needs a row beside the 9 prefix tokens, got 9");
}

}  // namespace
}  // namespace posiscope

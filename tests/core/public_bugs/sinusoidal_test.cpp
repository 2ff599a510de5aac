// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Faults of sinusoidal tables that were reported in public code, each with the right answer for us.
#include "core/difference.h"
#include "core/measures/list.h"
#include "core/screen_number.h"
#include "tests/support/encoded.h"
#include "tests/support/scheme_document.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace posiscope {
namespace {

Shape tableShape(std::int64_t d_model, std::int64_t seq_len = 64) {
  Shape shape;
  shape.seq_len = seq_len;
  shape.d_model = d_model;
  return shape;
}

Encoding<double> sinusoidal(std::int64_t d_model, const ParamValues& values = {}) {
  return test::encoded("sinusoidal", values, tableShape(d_model));
}

std::vector<double> rowOf(const Encoding<double>& encoding, std::int64_t position) {
  const auto row = encoding.input.table.row(position);
  return {row.begin(), row.end()};
}

void expectNear(const std::vector<double>& found, const std::vector<double>& wanted, double tolerance) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t e = 0; e < wanted.size(); ++e) EXPECT_NEAR(found[e], wanted[e], tolerance) << "entry " << e;
}

const std::vector<double> first_row{0.841470985, 0.540302306, 0.099833417, 0.995004165,
                                    0.009999833, 0.999950000, 0.001000000, 0.999999500};

// A01: the exponent doubled the dimension's index instead of the pair's.
TEST(PublicBugs, sinusoidalPairsShareOneFrequency) { expectNear(rowOf(sinusoidal(8), 1), first_row, 1e-9); }

Question tableQuestion(const char* scheme, const ParamValues& values, std::int64_t rows) {
  Question question;
  question.measure = "position_table";
  question.scheme.id = scheme;
  question.scheme.values = values;
  question.shape = tableShape(8, rows);
  return question;
}

Dataset tableOf(const char* scheme, const ParamValues& values, std::int64_t rows) {
  return measures::find("position_table")->compute(tableQuestion(scheme, values, rows), Job{}).value();
}

// A01: what the mistake looks like: the document of the scheme names a formula to compare with.
TEST(PublicBugs, theMistakeOfTheExponentCanBeShown) {
  const std::string formula = "sin(pos*10000^(-2*i/d) + mod(i,2)*pi/2)";
  for (const char* language : {"en", "zh"})
    EXPECT_NE(test::schemeDocument("sinusoidal", language).find(formula), std::string::npos) << language;
  const Dataset mistaken = tableOf("own", {{"formula", formula}}, 16);
  EXPECT_NEAR(mistaken.maps.at(0).field->at(1, 1), 0.995004165, 1e-7);
  EXPECT_NEAR(mistaken.maps.at(0).field->at(1, 2), 0.009999833, 1e-9);
  const Expected<Dataset> compared = difference(mistaken, tableOf("sinusoidal", {}, 16));
  ASSERT_TRUE(compared) << compared.error().message.en;
  EXPECT_TRUE(compared->remarks.at(0).sentence.en.starts_with("The first difference is in d = 1;"))
      << compared->remarks[0].sentence.en;
}

// A02: the cosine took the next frequency, so neighbouring columns were no circle.
TEST(PublicBugs, sineAndCosineOfAPairLieOnTheCircle) {
  const std::vector<double> row = rowOf(sinusoidal(8), 37);
  for (std::size_t d = 0; d < 8; d += 2)
    EXPECT_NEAR(row[d] * row[d] + row[d + 1] * row[d + 1], 1.0, 1e-12) << "column " << d;
}

// A03: a slip made the base 1000, and nobody saw it.
TEST(PublicBugs, theBaseOfTheTableIsAParameterThatShows) {
  EXPECT_NEAR(rowOf(sinusoidal(8, {{"base", 1000.0}}), 1)[4], 0.031617506, 1e-9);
  EXPECT_NEAR(rowOf(sinusoidal(8), 1)[4], 0.009999833, 1e-9);
  const Scheme& scheme = *schemes::find("sinusoidal");
  EXPECT_NE(scheme.substitution({{"base", 1000.0}}, tableShape(8)).find("b = 1\u202f000"), std::string::npos);
}

// A04: −ln(10000)/d//2 divides down to a whole number, and the steps are huge.
TEST(PublicBugs, neighbouringFrequenciesHaveOneRatio) {
  const std::vector<double> w = sinusoidal(256).input.frequency;
  ASSERT_EQ(w.size(), 128u);
  const double ratio = std::exp(-0.0719557842);
  for (std::size_t i = 1; i < w.size(); ++i) {
    EXPECT_NEAR(w[i] / w[i - 1], ratio, 1e-10) << i;
    EXPECT_NEAR(w[i] / w[i - 1], w[1] / w[0], 1e-12) << i;
  }
  // The table turns by them.
  const std::vector<double> row = rowOf(sinusoidal(256), 1);
  for (std::size_t i = 0; i < w.size(); ++i) EXPECT_NEAR(std::atan2(row[2 * i], row[2 * i + 1]), w[i], 1e-12) << i;
}

// A06: an odd width has one sine more than cosines.
TEST(PublicBugs, oddWidthsEndWithASine) {
  const std::vector<double> seven = rowOf(sinusoidal(7), 1);
  ASSERT_EQ(seven.size(), 7u);
  EXPECT_NEAR(seven[6], std::sin(std::pow(10000.0, -6.0 / 7.0)), 1e-12);
  expectNear(rowOf(sinusoidal(1), 1), {std::sin(1.0)}, 1e-15);
  const auto none = shapeTable().read("shape", {{"d_model", 0.0}});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.en.find("d_model must be 1 to"), std::string::npos) << none.error().message.en;
}

// A07: the confusion was seen only when the exponents were written out.
TEST(PublicBugs, theExponentOfEachColumnIsShown) {
  const auto term = sinusoidal(8).input.term;
  ASSERT_TRUE(term);
  const std::vector<std::string> exponents{"^(0/8)",  "^(0/8)",  "^(−2/8)", "^(−2/8)",
                                           "^(−4/8)", "^(−4/8)", "^(−6/8)", "^(−6/8)"};
  for (std::size_t d = 0; d < exponents.size(); ++d) {
    const std::string text = term(1, static_cast<std::int64_t>(d));
    EXPECT_NE(text.find("10\u202f000" + exponents[d]), std::string::npos) << text;
    EXPECT_EQ(text.substr(0, 4), d % 2 == 0 ? "sin(" : "cos(") << text;
  }
}

TEST(PublicBugs, theExponentsAreTaught) {
  for (const char* language : {"en", "zh"})
    EXPECT_NE(test::schemeDocument("sinusoidal", language).find("0 0 2 2 4 4 6 6"), std::string::npos) << language;
}

// A09: all sines before all cosines is a layout, not a fault.
TEST(PublicBugs, theTwoColumnLayoutsDifferByAPermutation) {
  const std::vector<double> halves = rowOf(sinusoidal(8, {{"columns", std::string("concatenated")}}), 1);
  const std::vector<double> pairs = rowOf(sinusoidal(8), 1);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(halves[i], pairs[2 * i]) << i;
    EXPECT_EQ(halves[4 + i], pairs[2 * i + 1]) << i;
  }
}

// A11: the grid was built with the first axis varying slowest, against row-major pixels.
TEST(PublicBugs, patchesOfARectangleAreNumberedAlongTheRows) {
  Shape shape = tableShape(8, 12);
  shape.grid_height = 3;
  shape.grid_width = 4;
  shape.head_dim = 8;
  const RotationPart rotation = test::encoded("rope_2d", {}, shape).rotation.value();
  for (std::size_t t = 0; t < 4; ++t) {
    EXPECT_EQ(rotation.position[t], 0.0) << "y of patch " << t;
    EXPECT_EQ(rotation.position[12 + t], static_cast<double>(t)) << "x of patch " << t;
  }
  // The same in the added table of MAE: x first, then y.
  const Encoding<double> added = test::encoded("sinusoidal_2d", {}, shape);
  for (std::int64_t t = 0; t < 4; ++t) {
    EXPECT_NEAR(rowOf(added, t)[0], std::sin(static_cast<double>(t)), 1e-12) << "x of patch " << t;
    EXPECT_EQ(rowOf(added, t)[4], 0.0) << "y of patch " << t;
  }
  EXPECT_NEAR(rowOf(added, 4)[4], std::sin(1.0), 1e-12);
}

// A13: is a table of somebody else the paper's? It is laid over ours.
TEST(PublicBugs, aTableFromAFileIsComparedColumnByColumn) {
  constexpr std::int64_t rows = 16;
  std::vector<double> theirs;  // cosines of the next frequency, sines of every second one
  for (std::int64_t p = 0; p < rows; ++p)
    for (std::int64_t d = 0; d < 8; ++d) {
      const double angle = static_cast<double>(p) * std::pow(10000.0, -2.0 * static_cast<double>(d) / 8.0);
      theirs.push_back(d % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  const Expected<Dataset> compared =
      difference(tableOf("learned", {{"initial", std::string("file")}, {"table", makeArray({rows, 8}, theirs)}}, rows),
                 tableOf("sinusoidal", {}, rows));
  ASSERT_TRUE(compared) << compared.error().message.en;
  ASSERT_EQ(compared->remarks.size(), 1u);
  double largest = 0;
  for (std::int64_t p = 0; p < rows; ++p)
    for (std::int64_t d = 0; d < 8; ++d)
      largest = std::max(largest, std::abs(static_cast<double>(compared->maps[0].field->at(p, d))));
  EXPECT_GT(largest, 1.0);
  const std::string& sentence = compared->remarks[0].sentence.en;
  EXPECT_TRUE(
      sentence.starts_with("The first difference is in d = 1; the largest is " + screenNumber(largest) + " at "))
      << sentence;
}

}  // namespace
}  // namespace posiscope

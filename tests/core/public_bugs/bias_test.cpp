// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Faults of biases, relative encodings and of the attention they belong to that were reported in public code, each with
// the right answer for us.
#include "core/grid_offsets.h"
#include "core/models/config.h"
#include "core/models/window_config.h"
#include "core/schemes/swin_v2.h"
#include "core/schemes/transformer_xl.h"
#include "tests/support/attending.h"
#include "tests/support/encoded.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace posiscope {
namespace {

using std::string;

Shape headShape(std::int64_t head_dim, std::int64_t seq_len = 16, std::int64_t heads = 1) {
  Shape shape;
  shape.seq_len = seq_len;
  shape.head_dim = head_dim;
  shape.num_heads = heads;
  shape.d_model = head_dim * heads;
  return shape;
}

Shape gridShape(std::int64_t height, std::int64_t width) {
  Shape shape = headShape(8, height * width);
  shape.grid_height = height;
  shape.grid_width = width;
  return shape;
}

OffsetBias<double> offsetBias(const char* scheme, const ParamValues& values, const Shape& shape) {
  return std::get<OffsetBias<double>>(test::encoded(scheme, values, shape).logits.bias);
}

std::vector<double> slopes(std::int64_t heads, const ParamValues& values = {}) {
  const OffsetBias<double> bias = offsetBias("alibi", values, headShape(8, 4, heads));
  std::vector<double> result;
  for (std::int64_t h = 0; h < heads; ++h) result.push_back(-bias.at(h, 1));
  return result;
}

/// A table whose row r holds r, for one head.
Array counted(std::int64_t rows) {
  std::vector<double> values(static_cast<std::size_t>(rows));
  std::iota(values.begin(), values.end(), 0.0);
  return makeArray({rows, 1}, values);
}

// D01: one geometric series was used for every number of heads.
TEST(PublicBugs, alibiSlopesForAnyNumberOfHeads) {
  const std::vector<double> twelve{0.5,       0.25,       0.125,        0.0625,       0.03125,      0.015625,
                                   0.0078125, 0.00390625, 0.7071067812, 0.3535533906, 0.1767766953, 0.0883883476};
  const std::vector<double> found = slopes(12);
  for (std::size_t h = 0; h < 12; ++h) EXPECT_NEAR(found[h], twelve[h], 1e-10) << h;
  EXPECT_EQ(slopes(3), (std::vector<double>{0.0625, 0.00390625, 0.25}));
}

// D02: the exponent started at 0, and the first slope was 1.
TEST(PublicBugs, theFirstAlibiSlopeIsAHalf) {
  EXPECT_EQ(slopes(8).front(), 0.5);
  EXPECT_EQ(slopes(8).back(), 0.00390625);
  EXPECT_EQ(offsetBias("alibi", {}, headShape(8, 4, 8)).at(0, 3), -1.5);
}

// D04: the paper's text and its released code differ at 40 heads.
TEST(PublicBugs, bothReadingsOfAlibiCanBeChosen) {
  EXPECT_NEAR(slopes(40)[0], 0.8408964153, 1e-10);
  EXPECT_NEAR(slopes(40)[32], 0.9170040432, 1e-10);
  const std::vector<double> text = slopes(40, {{"slopes", std::string("text")}});
  EXPECT_NEAR(text[0], 0.8705505633, 1e-10);
  EXPECT_DOUBLE_EQ(text[39], std::exp2(-8.0));
  EXPECT_EQ(slopes(16), slopes(16, {{"slopes", std::string("text")}})) << "a power of two knows one series";
}

// D05: sorted slopes would break every trained model.
TEST(PublicBugs, slopesAreNotSorted) {
  const std::vector<double> ten = slopes(10);
  EXPECT_NEAR(ten[8], 0.7071067812, 1e-10);
  EXPECT_NEAR(ten[9], 0.3535533906, 1e-10);
  EXPECT_LT(ten[7], ten[8]);
}

// D06: the upper end was forgotten, and far tokens read outside the table.
TEST(PublicBugs, farOffsetsStayInTheLastBucket) {
  const auto bucket = [](bool bidirectional, std::int64_t key_minus_query) {
    const ParamValues values{{"bidirectional", bidirectional}, {"table", counted(32)}};
    return offsetBias("t5_log", values, headShape(8, 1200)).at(0, -key_minus_query);
  };
  EXPECT_EQ(bucket(true, -1000), 15);
  EXPECT_EQ(bucket(true, 1000), 31);
  EXPECT_EQ(bucket(false, -1000), 31);
  EXPECT_EQ(bucket(false, 5), 0);
}

// D08: query − key was used where key − query was meant, and the bias came out mirrored.
TEST(PublicBugs, theBucketOfTheNextKeyIsRightOfTheDiagonal) {
  std::vector<double> one_hot(32, 0.0);
  one_hot[17] = 1;
  const Shape shape = headShape(8, 6);
  const Encoding<double> encoding =
      test::encoded("t5_log", {{"bidirectional", true}, {"table", makeArray({32, 1}, one_hot)}}, shape);
  Content<double> content;
  content.q.assign(48, 0.0);
  content.k.assign(48, 0.0);
  attention::Wanted wanted;
  wanted.logits = true;
  const auto result = test::attending(encoding, content, {}, shape, wanted);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) EXPECT_EQ(result.logits[i * 6 + j], j == i + 1 ? 1.0 : 0.0) << i << " " << j;
}

// D10: two coordinates are folded into one index.
TEST(PublicBugs, theIndexOfAWindowAndItsTwoOffsets) {
  const std::vector<std::vector<double>> expected{{4, 3, 1, 0}, {5, 4, 2, 1}, {7, 6, 4, 3}, {8, 7, 5, 4}};
  const Encoding<double> encoding = test::encoded("swin", {{"table", counted(9)}}, gridShape(2, 2));
  const auto& bias = std::get<PairBias<double>>(encoding.logits.bias);
  for (std::int64_t i = 0; i < 4; ++i) {
    std::vector<double> row(4);
    bias.fill(0, i, row);
    EXPECT_EQ(row, expected[static_cast<std::size_t>(i)]) << i;
    for (std::int64_t j = 0; j < 4; ++j)
      EXPECT_EQ(encoding.logits.lookup.row(i, j), expected[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
  }
  EXPECT_EQ(bias.term(0, 0, 3), "B(Δy = −1, Δx = −1)");
  EXPECT_EQ(bias.term(0, 2, 1), "B(Δy = 1, Δx = −1)");
}

// D11: wrong multipliers gave different offsets one index.
TEST(PublicBugs, everyOffsetOfAWindowHasItsOwnIndex) {
  std::set<std::int64_t> cube;
  for (std::int64_t i = 0; i < 8; ++i)
    for (std::int64_t j = 0; j < 8; ++j) cube.insert(offsetRow(std::array<std::int64_t, 3>{2, 2, 2}, i, j));
  EXPECT_EQ(cube.size(), 27u);
  EXPECT_EQ(*cube.begin(), 0);
  EXPECT_EQ(*cube.rbegin(), 26);
  for (std::int64_t i = 0; i < 8; ++i) EXPECT_EQ(offsetRow(std::array<std::int64_t, 3>{2, 2, 2}, i, i), 13);
  const Encoding<double> rectangle = test::encoded("swin", {}, gridShape(2, 3));
  std::set<std::int64_t> rows;
  for (std::int64_t i = 0; i < 6; ++i)
    for (std::int64_t j = 0; j < 6; ++j) rows.insert(rectangle.logits.lookup.row(i, j));
  EXPECT_EQ(rows.size(), 15u);
  EXPECT_EQ(rectangle.logits.lookup.rows, 15);
}

// D13: the last stage's map is smaller than the configured window, and so is its table.
TEST(PublicBugs, theTableTellsTheWindowItIsFor) {
  const ParamValues values{{"window", 12.0}, {"shift", 6.0}, {"table", counted(121)}};
  const Encoding<double> last = test::encoded("swin", values, gridShape(6, 6));
  EXPECT_EQ(last.logits.lookup.rows, 121);
  EXPECT_TRUE(last.warnings.empty()) << "the window of 12 shrinks to the map";
  const Encoding<double> wide = test::encoded("swin", values, gridShape(12, 12));
  EXPECT_EQ(wide.logits.lookup.rows, 121);
  ASSERT_EQ(wide.warnings.size(), 1u);
  EXPECT_EQ(wide.warnings[0].en,
            "swin: the table has 121 rows, those of a window of 6 × 6; the window of 12 × 12 is not used");
  EXPECT_FALSE(wide.warnings[0].zh.empty());
  // Rows of no square window, or of one that does not fit, are refused with both sizes.
  for (const std::int64_t rows : {120, 81})
    EXPECT_NE(test::refusal("swin", {{"window", 12.0}, {"table", counted(rows)}}, gridShape(12, 12)).find("529"),
              std::string::npos);
}

string swinConfig(std::int64_t image, std::int64_t window) {
  return join(R"({"model_type":"swin","image_size":)", image, R"(,"patch_size":4,"embed_dim":192,"hidden_size":1536,
    "depths":[2,2,18,2],"num_heads":[6,12,24,48],"window_size":)",
              window, "}");
}

TEST(PublicBugs, aConfigurationTellsWhichStagesShrinkTheWindow) {
  models::Inspection inspection;
  ASSERT_TRUE(models::readConfig(swinConfig(192, 12), "config.json", inspection));
  ASSERT_EQ(inspection.schemes.size(), 1U);
  EXPECT_EQ(inspection.schemes[0].id, "swin");
  EXPECT_EQ(inspection.schemes[0].values.at("window"), Value(12.0));
  EXPECT_EQ(inspection.shape.grid_height, 48);
  EXPECT_EQ(inspection.shape.num_heads, 6);
  EXPECT_EQ(inspection.shape.d_model, 192);
  EXPECT_FALSE(inspection.mask.causal);
  ASSERT_EQ(inspection.notes.size(), 1U);
  EXPECT_EQ(inspection.notes[0].en,
            "config.json: stage 3 has a map of 6 × 6, smaller than the window of 12: there the window is 6 × 6 and its "
            "table has 121 rows");
  models::Inspection fitting;
  ASSERT_TRUE(models::readConfig(swinConfig(384, 12), "config.json", fitting));
  EXPECT_TRUE(fitting.notes.empty()) << fitting.notes[0].en;
}

TEST(PublicBugs, theTablesOfAModelTellTheirWindows) {
  models::Inspection inspection;
  ASSERT_TRUE(models::readConfig(swinConfig(384, 12), "config.json", inspection));
  const auto table = [](std::int64_t rows, std::int64_t heads) {
    return makeArray({rows, heads}, std::vector<double>(static_cast<std::size_t>(rows * heads), 0.5));
  };
  for (int block = 0; block < 2; ++block) models::useWindowTable(table(529, 6), inspection);
  EXPECT_EQ(std::get<Array>(inspection.schemes[0].values.at("table")).shape, (std::vector<std::int64_t>{529, 6}));
  EXPECT_EQ(inspection.reasons.back().en, "529 rows are those of a window of 12 × 12");
  EXPECT_TRUE(inspection.notes.empty());
  for (int block = 0; block < 2; ++block) models::useWindowTable(table(121, 48), inspection);
  ASSERT_EQ(inspection.notes.size(), 1U) << "said once, not for each block";
  EXPECT_TRUE(
      inspection.notes[0].en.starts_with("121 rows are those of a window of 6 × 6, not of the 12 of the configuration"))
      << inspection.notes[0].en;
}

// D14: why log2(8), and why values above 1?
TEST(PublicBugs, logSpacedOffsetsReachAboveOne) {
  EXPECT_NEAR(schemes::swinV2Coordinate(7, 8), std::log2(9.0) / 3, 1e-15);
  EXPECT_NEAR(schemes::swinV2Coordinate(7, 8), 1.056642, 1e-6);
  EXPECT_EQ(schemes::swinV2Coordinate(0, 8), 0);
  const std::vector<double> all = schemes::swinV2Coordinates({}, 8, 8);
  EXPECT_NEAR(*std::ranges::max_element(all), 1.056642, 1e-6);
  EXPECT_NEAR(*std::ranges::min_element(all), -1.056642, 1e-6);
}

// D15: the sine of +p was stored for −p, and left and right looked alike.
TEST(PublicBugs, theSineOfADistanceKeepsItsSign) {
  schemes::TransformerXlParams params;
  params.bidirectional = true;
  const schemes::DistanceRows<double> rows = schemes::distanceRows<double>(params, 5, 8);
  const auto row = [&](std::int64_t n) { return rows.rows.row(rows.indexOf(n)); };
  EXPECT_NEAR(row(-1)[0], -0.841470985, 1e-9);
  EXPECT_NEAR(row(1)[0], 0.841470985, 1e-9);
  for (std::size_t d = 0; d < 4; ++d) {
    EXPECT_NEAR(row(-1)[d], -row(1)[d], 1e-14) << d;
    EXPECT_NEAR(row(-1)[4 + d], row(1)[4 + d], 1e-14) << d;
  }
}

// F01: a row with every key masked was 0/0.
TEST(PublicBugs, aRowWithNothingToAttendIsZero) {
  const Shape shape = headShape(2, 3);
  Content<double> content;
  content.q.assign(6, 1.0);
  content.k.assign(6, 1.0);
  Mask mask;
  mask.causal = true;
  mask.key_padding = {0, 1, 1};
  const auto result = test::attending(test::encoded("none", {}, shape), content, mask, shape);
  EXPECT_EQ(result.empty_rows, 1);
  EXPECT_EQ(result.weights, (std::vector<double>{0, 0, 0, 0, 1, 0, 0, 0.5, 0.5}));
}

// F03: the mask came after the softmax.
TEST(PublicBugs, causalZeroLogitsSpreadOverThePast) {
  const Shape shape = headShape(2, 3);
  Content<double> content;
  content.q.assign(6, 0.0);
  content.k.assign(6, 0.0);
  Mask mask;
  mask.causal = true;
  const auto result = test::attending(test::encoded("none", {}, shape), content, mask, shape);
  const std::vector<double> expected{1, 0, 0, 0.5, 0.5, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3};
  for (std::size_t c = 0; c < 9; ++c) EXPECT_NEAR(result.weights[c], expected[c], 1e-15) << c;
}

// F04, F05: divided by the root of the model's width, or twice.
TEST(PublicBugs, scaleUsesTheHeadWidthOnce) {
  const Shape shape = headShape(16, 1, 4);
  Content<double> content;
  content.q.assign(64, 0.0);
  content.k.assign(64, 0.0);
  content.q[0] = 8;
  content.k[0] = 1;
  attention::Wanted wanted;
  wanted.logits = true;
  EXPECT_DOUBLE_EQ(test::attending(test::encoded("none", {}, shape), content, {}, shape, wanted).logits[0], 2.0);
}

}  // namespace
}  // namespace posiscope

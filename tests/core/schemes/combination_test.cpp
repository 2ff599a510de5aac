// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables that are combined with words or with one another: fusion, BERT's sum, hybrid, layer-wise.
#include "core/random.h"
#include "tests/support/attending.h"
#include "tests/support/encoded.h"

#include <cmath>

namespace posiscope {
namespace {

Shape tokenShape(std::int64_t length, std::int64_t d_model) {
  Shape shape;
  shape.seq_len = length;
  shape.d_model = d_model;
  shape.num_heads = 1;
  shape.head_dim = d_model;
  return shape;
}

Array randomArray(std::vector<std::int64_t> shape, const std::string& name) {
  std::int64_t count = 1;
  for (const std::int64_t side : shape) count *= side;
  const Stream stream(9, name);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::size_t e = 0; e < values.size(); ++e) values[e] = stream.normal(e);
  return makeArray(std::move(shape), std::move(values));
}

/// The embeddings after the scheme's input part.
Table<double> applied(const char* id, const ParamValues& values, const Shape& shape, const Table<double>& x) {
  return attention::applyInput(test::encoded(id, values, shape).input, rowsOf(x));
}

Table<double> wordsOf(const Shape& shape) {
  return test::tableOf<double>(randomArray({shape.seq_len, shape.d_model}, "words"));
}

void expectNear(const std::vector<double>& found, const std::vector<double>& wanted, double tolerance) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t e = 0; e < found.size(); ++e) EXPECT_NEAR(found[e], wanted[e], tolerance) << e;
}

TEST(Fusion, projectingWithTwoIdentitiesIsAddition) {
  for (const std::int64_t d : {1, 3, 8}) {
    const Shape shape = tokenShape(5, d);
    std::vector<double> identities(static_cast<std::size_t>(2 * d * d));
    for (std::int64_t c = 0; c < d; ++c)
      identities[static_cast<std::size_t>(c * 2 * d + c)] = identities[static_cast<std::size_t>(c * 2 * d + d + c)] = 1;
    for (const bool scaled : {false, true}) {
      const ParamValues add{{"scale_words", scaled}};
      const ParamValues project{{"scale_words", scaled},
                                {"mode", std::string("concat_project")},
                                {"weight", makeArray({d, 2 * d}, identities)}};
      expectNear(applied("fusion", project, shape, wordsOf(shape)).values,
                 applied("fusion", add, shape, wordsOf(shape)).values, 1e-14);
    }
  }
}

TEST(Fusion, wordsAreScaledByTheRootOfTheWidth) {
  const Shape shape = tokenShape(4, 9);
  const Table<double> x = wordsOf(shape);
  const Table<double> table = test::encoded("sinusoidal", {}, shape).input.table;
  const Table<double> z = applied("fusion", {{"scale_words", true}}, shape, x);
  for (std::size_t e = 0; e < z.values.size(); ++e) EXPECT_DOUBLE_EQ(z.values[e], 3 * x.values[e] + table.values[e]);
  EXPECT_EQ(applied("fusion", {}, shape, x).values,
            attention::applyInput(test::encoded("sinusoidal", {}, shape).input, rowsOf(x)).values);
}

TEST(Fusion, aGateMixLiesBetweenWordAndPosition) {
  const Shape shape = tokenShape(7, 6);
  const Table<double> x = wordsOf(shape);
  const Table<double> table = test::encoded("sinusoidal", {}, shape).input.table;
  const Table<double> mix = applied("fusion", {{"mode", std::string("gate_mix")}}, shape, x);
  const Table<double> sum = applied("fusion", {{"mode", std::string("gate_add")}}, shape, x);
  for (std::size_t e = 0; e < mix.values.size(); ++e) {
    EXPECT_GE(mix.values[e], std::min(x.values[e], table.values[e]));
    EXPECT_LE(mix.values[e], std::max(x.values[e], table.values[e]));
    // Both have the same gate: (mix − P)/(x − P) = (sum − x)/P.
    EXPECT_NEAR((mix.values[e] - table.values[e]) * table.values[e],
                (sum.values[e] - x.values[e]) * (x.values[e] - table.values[e]), 1e-13);
  }
  const ParamValues open{{"mode", std::string("gate_mix")}, {"bias", makeArray({6}, std::vector<double>(6, 800))}};
  expectNear(applied("fusion", open, shape, x).values, x.values, 1e-14);
}

TEST(Fusion, onlyConcatenationTakesAnotherWidth) {
  Shape shape = tokenShape(4, 6);
  EXPECT_EQ(test::refusal("fusion", {{"d_position", 4.0}}, shape),
            "fusion: only concat_project takes another position width; d_position must be d_model 6, got 4");
  const ParamValues wide{{"d_position", 4.0}, {"mode", std::string("concat_project")}};
  EXPECT_EQ(test::refusal("fusion", wide, shape), "accepted");
  ParamValues wrong = wide;
  wrong["weight"] = randomArray({6, 12}, "w");
  EXPECT_EQ(test::refusal("fusion", wrong, shape), "fusion: weight must have shape (6, 10), got (6, 12)");
  // The position reaches the token through the last four columns of W, the word through the first six.
  ParamValues given = wide;
  std::vector<double> weight(60);
  for (std::size_t c = 0; c < 4; ++c) weight[c * 10 + 6 + c] = 1;
  weight[4 * 10 + 0] = 1;
  given["weight"] = makeArray({6, 10}, weight);
  const Table<double> x = wordsOf(shape), out = applied("fusion", given, shape, x);
  Shape narrow = shape;
  narrow.d_model = 4;
  const Table<double> positions = test::encoded("sinusoidal", {}, narrow).input.table;
  for (std::int64_t t = 0; t < 4; ++t) {
    for (std::size_t c = 0; c < 4; ++c) EXPECT_NEAR(out.row(t)[c], positions.row(t)[c], 1e-15);
    EXPECT_EQ(out.row(t)[4], x.row(t)[0]);
    EXPECT_EQ(out.row(t)[5], 0);
  }
}

TEST(EmbeddingSum, aNormedRowHasMeanZeroAndSpreadOne) {
  for (const std::int64_t d : {2, 5, 16}) {
    const Shape shape = tokenShape(6, d);
    const Table<double> y = applied("embedding_sum", {}, shape, wordsOf(shape));
    for (std::int64_t t = 0; t < 6; ++t) {
      double sum = 0, squares = 0;
      for (const double v : y.row(t)) sum += v;
      for (const double v : y.row(t)) squares += v * v;
      EXPECT_NEAR(sum, 0, 1e-12);
      EXPECT_NEAR(squares / static_cast<double>(d), 1, 1e-9);
    }
  }
}

TEST(EmbeddingSum, threeRowsAreSummed) {
  Shape shape = tokenShape(4, 3);
  shape.first_position = 1;
  const Array positions = randomArray({8, 3}, "positions"), segments = randomArray({3, 3}, "segments");
  ParamValues values{{"layer_norm", false},
                     {"position_table", positions},
                     {"segment_table", segments},
                     {"position_offset", 2.0},
                     {"segment_ids", std::vector<double>{0, 2, 1, 2}}};
  const Table<double> x = wordsOf(shape);
  const Table<double> y = applied("embedding_sum", values, shape, x);
  const std::int64_t ids[] = {0, 2, 1, 2};
  for (std::int64_t t = 0; t < 4; ++t)
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_DOUBLE_EQ(y.row(t)[c], x.row(t)[c] + (positions.data()[(t + 3) * 3 + static_cast<std::int64_t>(c)] +
                                                   segments.data()[ids[t] * 3 + static_cast<std::int64_t>(c)]));
  values.erase("segment_ids");  // all in segment 0: its row is added, not nothing
  EXPECT_DOUBLE_EQ(applied("embedding_sum", values, shape, x).row(1)[0],
                   x.row(1)[0] + (positions.data()[4 * 3] + segments.data()[0]));
  values["second_segment_at"] = 2.0;
  EXPECT_DOUBLE_EQ(applied("embedding_sum", values, shape, x).row(2)[0],
                   x.row(2)[0] + (positions.data()[5 * 3] + segments.data()[3]));
}

TEST(EmbeddingSum, gainShiftAndARowOfZeros) {
  const Shape shape = tokenShape(2, 4);
  const Array zeros = makeArray({2, 4}, std::vector<double>(8, 0));
  const Array beta = makeArray({4}, std::vector<double>{1, 2, 3, 4});
  for (const double eps : {0.0, 1e-12}) {
    const ParamValues values{{"position_table", zeros},
                             {"segment_table", zeros},
                             {"beta", beta},
                             {"gamma", makeArray({4}, std::vector<double>(4, 7))},
                             {"eps", eps}};
    const Table<double> nothing = makeTable<double>(2, 4);
    const Table<double> y = applied("embedding_sum", values, shape, nothing);
    for (std::size_t e = 0; e < 8; ++e) EXPECT_EQ(y.values[e], static_cast<double>(e % 4 + 1));
  }
}

TEST(EmbeddingSum, gainAndShiftActAfterTheNorm) {
  const Shape shape = tokenShape(5, 4);
  const Table<double> plain = applied("embedding_sum", {}, shape, wordsOf(shape));
  const std::vector<double> gain{2, -1, 0.5, 3}, shift{1, 2, 3, 4};
  const Table<double> y = applied("embedding_sum", {{"gamma", makeArray({4}, gain)}, {"beta", makeArray({4}, shift)}},
                                  shape, wordsOf(shape));
  for (std::size_t e = 0; e < y.values.size(); ++e)
    EXPECT_NEAR(y.values[e], gain[e % 4] * plain.values[e] + shift[e % 4], 1e-14) << e;
}

TEST(EmbeddingSum, positionsAndSegmentsPastTheTablesAreErrors) {
  EXPECT_EQ(test::refusal("embedding_sum", {{"max_positions", 5.0}, {"position_offset", 2.0}}, tokenShape(4, 3)),
            "embedding_sum: position 3 is past the table; the table has positions 0 to 2");
  EXPECT_EQ(test::refusal("embedding_sum", {{"segment_ids", std::vector<double>{0, 1, 2, 0}}}, tokenShape(4, 3)),
            "embedding_sum: there is no segment 2; the table has segments 0 to 1");
  EXPECT_EQ(test::refusal("embedding_sum", {{"segment_ids", std::vector<double>{0, 1}}}, tokenShape(4, 3)),
            "embedding_sum: segment_ids must have seq_len 4 numbers, got 2");
  EXPECT_EQ(test::refusal("embedding_sum", {{"segments", 1.0}, {"second_segment_at", 2.0}}, tokenShape(4, 3)),
            "embedding_sum: there is no segment 1; the table has segments 0 to 0");
}

TEST(Hybrid, theMeanIsTheDefinition) {
  for (const auto& [length, k] : {std::pair{1, 3}, {2, 0}, {5, 1}, {9, 3}, {9, 8}, {9, 20}})
    for (const bool flipped : {false, true}) {
      const Shape shape = tokenShape(length, 3);
      const Array relative = randomArray({2 * k + 1, 3}, "relative");
      const Array table = randomArray({length, 3}, "table");
      const Table<double> found = test::encoded("hybrid",
                                                {{"alpha", 0.7},
                                                 {"beta", 0.3},
                                                 {"max_distance", static_cast<double>(k)},
                                                 {"sign", std::string(flipped ? "i-j" : "j-i")},
                                                 {"relative_table", relative},
                                                 {"position_table", table}},
                                                shape)
                                      .input.table;
      for (std::int64_t i = 0; i < length; ++i)
        for (std::int64_t c = 0; c < 3; ++c) {
          double mean = 0;
          for (std::int64_t j = 0; j < length; ++j) {
            const std::int64_t n = std::clamp<std::int64_t>(flipped ? i - j : j - i, -k, k);
            mean += relative.data()[(n + k) * 3 + c] / static_cast<double>(length);
          }
          EXPECT_NEAR(found.row(i)[static_cast<std::size_t>(c)], 0.7 * table.data()[i * 3 + c] + 0.3 * mean, 1e-14);
        }
    }
}

TEST(Hybrid, equalRowsAreAConstantShift) {
  const Shape shape = tokenShape(11, 2);
  const ParamValues values{{"alpha", 0.0},
                           {"beta", 2.0},
                           {"max_distance", 3.0},
                           {"relative_table", makeArray({7, 2}, std::vector<double>(14, 1.5))}};
  for (const double v : test::encoded("hybrid", values, shape).input.table.values) EXPECT_NEAR(v, 3, 1e-14);
}

TEST(Hybrid, asABiasReadsTheColumnOfTheHead) {
  Shape shape = tokenShape(9, 8);
  shape.num_heads = 3;
  shape.seq_len_q = 4;
  const Array relative = randomArray({7, 8}, "relative");
  const auto encoding = test::encoded(
      "hybrid", {{"form", std::string("bias")}, {"max_distance", 3.0}, {"relative_table", relative}, {"alpha", 0.5}},
      shape);
  const auto& bias = std::get<OffsetBias<double>>(encoding.logits.bias);
  for (std::int64_t h = 0; h < 3; ++h)
    for (std::int64_t n = -8; n <= 8; ++n)
      EXPECT_EQ(bias.at(h, n), relative.data()[(std::clamp<std::int64_t>(-n, -3, 3) + 3) * 8 + h]);
  EXPECT_EQ(encoding.logits.lookup.rows, 7);
  EXPECT_EQ(encoding.logits.lookup.row(3, 7), 3 - 1);  // query 3 of the last four is token 8
  EXPECT_EQ(encoding.input.table.rows, 9);
  const auto pure = test::encoded("hybrid", {{"form", std::string("bias")}, {"alpha", 0.0}}, shape);
  EXPECT_TRUE(pure.offset_only);
  EXPECT_FALSE(pure.input.hasTable());
  shape.d_model = 2;
  EXPECT_EQ(test::refusal("hybrid", {{"form", std::string("bias")}}, shape),
            "hybrid: every head needs a column of the relative table, num_heads must be at most d_model 2, got 3");
}

TEST(Hybrid, positionsPastAGivenTableAreErrors) {
  EXPECT_EQ(test::refusal("hybrid", {{"position_table", randomArray({4, 3}, "t")}}, tokenShape(5, 3)),
            "hybrid: position 4 is past the table; the table has positions 0 to 3");
  EXPECT_EQ(test::refusal("hybrid", {{"position_table", randomArray({4, 2}, "t")}}, tokenShape(4, 3)),
            "hybrid: position_table must be (positions, 3), got (4, 2)");
}

TEST(Layerwise, everyLayerHasItsStrengthAndOffset) {
  Shape shape = tokenShape(5, 3);
  shape.num_layers = 4;
  const Array base = randomArray({6, 3}, "base"), offsets = randomArray({4, 3}, "offsets");
  for (const std::int64_t each : {1, 3}) {
    const Array scales = randomArray({4, each}, "scales");
    for (shape.layer = 0; shape.layer < 4; ++shape.layer) {
      const Table<double> t =
          test::encoded("layerwise", {{"position_table", base}, {"scales", scales}, {"offsets", offsets}}, shape)
              .input.table;
      for (std::int64_t i = 0; i < 5; ++i)
        for (std::int64_t c = 0; c < 3; ++c)
          EXPECT_DOUBLE_EQ(t.row(i)[static_cast<std::size_t>(c)],
                           scales.data()[shape.layer * each + (each == 1 ? 0 : c)] * base.data()[i * 3 + c] +
                               offsets.data()[shape.layer * 3 + c]);
    }
  }
}

TEST(Layerwise, withoutSpreadIsTheTableItself) {
  Shape shape = tokenShape(5, 4);
  shape.num_layers = 3;
  shape.layer = 2;
  for (const char* strength : {"scalar", "vector"}) {
    const ParamValues still{{"scale_spread", 0.0}, {"offset_std", 0.0}, {"strength", std::string(strength)}};
    EXPECT_EQ(test::encoded("layerwise", still, shape).input.table.values,
              test::encoded("sinusoidal", {}, shape).input.table.values);
  }
  EXPECT_EQ(test::refusal("layerwise", {{"scales", randomArray({2, 1}, "s")}}, shape),
            "layerwise: scales must be (num_layers 3, 1) or (num_layers 3, d_model 4), got (2, 1)");
}

TEST(Hybrid, positionsWithoutADrawnRowAreRefusedOnlyWhereTheTableIsRead) {
  Shape shape = tokenShape(4, 6);
  shape.num_heads = 2;
  shape.first_position = -3;
  const std::string bias = "bias", sinusoidal = "sinusoidal";
  EXPECT_EQ(test::refusal("hybrid", {}, shape),
            "hybrid: rows are drawn for the positions 0, 1, 2 … only, so first_position must be a whole number of at "
            "least 0 while table_kind is learned, got −3");
  EXPECT_EQ(test::refusal("hybrid", {{"table_kind", sinusoidal}}, shape), "accepted");
  EXPECT_NE(test::refusal("hybrid", {{"form", bias}}, shape), "accepted");
  const ParamValues bias_alone{{"form", bias}, {"alpha", 0.0}};
  ASSERT_EQ(test::refusal("hybrid", bias_alone, shape), "accepted");
  Shape from_zero = shape;
  from_zero.first_position = 0;
  EXPECT_EQ(std::get<OffsetBias<double>>(test::encoded("hybrid", bias_alone, shape).logits.bias).values,
            std::get<OffsetBias<double>>(test::encoded("hybrid", bias_alone, from_zero).logits.bias).values);
}

}  // namespace
}  // namespace posiscope

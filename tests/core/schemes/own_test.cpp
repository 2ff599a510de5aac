// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/aliases.h"
#include "core/schemes/own_formula.h"
#include "tests/support/attending.h"
#include "tests/support/encoded.h"

#include <gtest/gtest.h>

#include <cmath>

namespace posiscope {
namespace {

Shape shapeOf(std::int64_t length = 21) {
  Shape shape;
  shape.seq_len = length;
  shape.num_heads = 4;
  shape.head_dim = 8;
  shape.d_model = 10;
  return shape;
}

ParamValues own(const std::string& kind, const std::string& formula = {}) {
  ParamValues values{{"kind", kind}};
  if (!formula.empty()) values["formula"] = formula;
  return values;
}

TEST(Own, itsExamplesAreTheSchemesTheyName) {
  for (const std::int64_t length : {1, 2, 21}) {
    Shape shape = shapeOf(length);
    const auto table = test::encoded("own", own("table"), shape).input.table;
    const auto sinusoidal = test::encoded("sinusoidal", {}, shape).input.table;
    ASSERT_EQ(table.values.size(), sinusoidal.values.size());
    for (std::size_t e = 0; e < table.values.size(); ++e) ASSERT_NEAR(table.values[e], sinusoidal.values[e], 1e-12);

    const auto rotation = *test::encoded("own", own("frequency"), shape).rotation;
    const auto rope = *test::encoded("rope", {}, shape).rotation;
    ASSERT_EQ(rotation.rotary_dim, rope.rotary_dim);
    ASSERT_EQ(rotation.position, rope.position);
    for (std::size_t p = 0; p < rope.frequency.size(); ++p)
      ASSERT_NEAR(rotation.frequency[p], rope.frequency[p], 1e-15);

    const auto bias = std::get<OffsetBias<double>>(test::encoded("own", own("bias"), shape).logits.bias);
    const auto alibi = std::get<OffsetBias<double>>(test::encoded("alibi", {}, shape).logits.bias);
    ASSERT_EQ(bias.values.size(), alibi.values.size());
    for (std::size_t e = 0; e < bias.values.size(); ++e) ASSERT_NEAR(bias.values[e], alibi.values[e], 1e-14);
  }
}

TEST(Own, knowsWhereItIs) {
  Shape shape = shapeOf(6);
  shape.first_position = 40;
  const auto table = test::encoded("own", own("table", "pos*1000 + i + d/100"), shape).input.table;
  EXPECT_NEAR(table.row(5)[7], 45007.1, 1e-9);
  const auto bias = std::get<OffsetBias<double>>(
      test::encoded("own", own("bias", "offset*100 + head + heads/10"), shape).logits.bias);
  EXPECT_NEAR(bias.at(2, -3), -297.6, 1e-12);  // offset = i − j: the past is positive
  EXPECT_NEAR(bias.at(3, 5), 503.4, 1e-12);
  EXPECT_NEAR(test::encoded("own", own("frequency", "pair + d/100"), shape).rotation->frequency[3], 3.08, 1e-15);
}

TEST(Own, namedNumbersReachTheFormula) {
  ParamValues values = own("bias", "a + 10*b + 100*c + 1000*k + 10000*m + 100000*s");
  for (const auto& [name, value] : {std::pair{"a", 1.0}, {"b", 2.0}, {"c", 3.0}, {"k", 4.0}, {"m", 5.0}, {"s", 6.0}})
    values[name] = value;
  EXPECT_EQ(std::get<OffsetBias<double>>(test::encoded("own", values, shapeOf()).logits.bias).at(0, 0), 654321);
  EXPECT_EQ(schemes::find("own")->substitution(own("bias", "-a*abs(offset)"), shapeOf()), "-a*abs(offset), a = 4");
}

TEST(Own, aListTurnsTheFirstPairs) {
  ParamValues values = own("list");
  values["list"] = std::vector<double>{0.5, 0.25, 2};
  const auto rotation = *test::encoded("own", values, shapeOf()).rotation;
  EXPECT_EQ(rotation.rotary_dim, 6);
  EXPECT_EQ(rotation.frequency, (std::vector<double>{0.5, 0.25, 2}));
  values["list"] = std::vector<double>(5, 1.0);
  EXPECT_EQ(test::refusal("own", values, shapeOf()), "own: list must have 1 to head_dim/2 = 4 frequencies, got 5");
  values["list"] = std::vector<double>{};
  EXPECT_EQ(test::refusal("own", values, shapeOf()), "own: list must have 1 to head_dim/2 = 4 frequencies, got 0");
  values["list"] = std::vector<double>{INFINITY};
  EXPECT_EQ(test::refusal("own", values, shapeOf()), "own: the frequencies in list must be finite, got inf");
}

TEST(Own, aBadFormulaIsASentence) {
  EXPECT_EQ(test::refusal("own", own("table", "pos*"), shapeOf()),
            "own: formula, column 5: the formula ends too early");
  EXPECT_TRUE(
      test::refusal("own", own("bias", "pos"), shapeOf()).starts_with("own: formula, column 1: 'pos' is not known"));
  const auto wrong = schemes::find("own")->encode(own("table", "1/pos"), shapeOf());
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message.en,
            "own: the formula must give finite numbers, got infinity at pos = 0, i = 0, d = 10");
  Shape odd = shapeOf();
  odd.head_dim = 7;
  EXPECT_EQ(schemes::find("own")->check(own("frequency"), odd).error().code, ErrorCode::bad_shape);
  Shape huge = shapeOf(1 << 20);
  huge.d_model = 256;
  EXPECT_EQ(schemes::find("own")->check(own("table"), huge).error().code, ErrorCode::too_large);
}

TEST(Own, whatSinglePrecisionCannotHoldIsRefused) {
  const auto refused = [](const ParamValues& values) {
    const auto single = schemes::find("own")->encode(values, shapeOf());
    const auto both = schemes::find("own")->encode_double(values, shapeOf());
    EXPECT_EQ(single.has_value(), both.has_value());
    return single ? std::string() : single.error().message.en;
  };
  EXPECT_TRUE(refused(own("bias", "1e39*offset")).starts_with("own: the formula must give finite numbers, got -2e+40"));
  EXPECT_NE(refused(own("frequency", "1e39*pair")), "");
  EXPECT_NE(refused(own("table", "1e39*pos")), "");
  // Finite itself, but rows are multiplied with rows.
  EXPECT_TRUE(refused(own("table", "1e25*pos")).ends_with("at pos = 1, i = 0, d = 10"));
  EXPECT_EQ(refused(own("bias", "1e25*offset")), "");
  EXPECT_EQ(refused(own("table", "1e15*pos")), "");
  EXPECT_EQ(test::refusal("own", {{"kind", std::string("list")}, {"list", std::vector<double>{1e308}}}, shapeOf()),
            "own: the frequencies in list must be finite, got 1e+308");
}

TEST(Own, namesThatTheFormulaDoesNotMentionAreIdle) {
  const auto idle = [](const std::string& key, const ParamValues& values) {
    return schemes::isIdleName("own", key, values);
  };
  EXPECT_FALSE(idle("a", {})) << "the example reads a and b";
  EXPECT_FALSE(idle("b", {}));
  EXPECT_TRUE(idle("k", {}));
  const ParamValues typed = own("bias", "-k*abs(offset) + mod(head, 2)");
  EXPECT_FALSE(idle("k", typed));
  EXPECT_TRUE(idle("m", typed)) << "a letter of mod is no name";
  EXPECT_FALSE(idle("formula", typed));
  EXPECT_FALSE(schemes::isIdleName("rope", "a", {}));
}

TEST(Own, everyNumberIsANameOfFormulas) {
  std::int64_t numbers = 0;
  Shape shape;
  shape.seq_len = 3;
  for (const ParamSpec& spec : schemes::find("own")->params) {
    if (spec.kind != ParamKind::real) continue;
    ++numbers;
    const ParamValues values{{"kind", std::string("bias")}, {"formula", spec.key + "*offset"}, {spec.key, 2.5}};
    EXPECT_EQ(std::get<OffsetBias<double>>(test::encoded("own", values, shape).logits.bias).at(0, 2), 5) << spec.key;
    EXPECT_FALSE(schemes::isIdleName("own", spec.key, values)) << spec.key;
    EXPECT_TRUE(schemes::isIdleName("own", spec.key, {{"formula", std::string("pos")}})) << spec.key;
  }
  EXPECT_EQ(numbers, 18);
}

TEST(Own, theExampleIsAFormulaOfItsKind) {
  const auto example = [](const ParamValues& values) { return schemes::exampleFormula("own", "formula", values); };
  for (const char* kind : {"table", "frequency", "bias"}) {
    const ParamValues typed = own(kind, example({{"kind", std::string(kind)}}));
    EXPECT_TRUE(schemes::find("own")->check(typed, shapeOf())) << kind;
  }
  EXPECT_NE(example({}), example({{"kind", std::string("bias")}}));
  EXPECT_EQ(example({{"kind", std::string("list")}}), "");
  EXPECT_EQ(schemes::exampleFormula("own", "list", {}), "");
  EXPECT_EQ(schemes::exampleFormula("rope", "formula", {}), "");
}

TEST(Own, travelsOnTheCommandLine) {
  const ArrayLoader none = [](const std::string& path) -> Expected<Array> {
    return fail(ErrorCode::file_missing, path);
  };
  const auto choice = parseScheme("own,kind=bias,formula='max(-a*abs(offset), -8)',a=0.5", none);
  ASSERT_TRUE(choice) << choice.error().message.en;
  EXPECT_EQ(choice->values.at("formula"), Value(std::string("max(-a*abs(offset), -8)")));
  EXPECT_EQ(choice->values.at("a"), Value(0.5));
}

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/aliases.h"
#include "core/schemes/own_formula.h"
#include "core/session.h"
#include "tests/support/attending.h"
#include "tests/support/encoded.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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

std::vector<std::string> numbersIn(const ParamValues& values) {
  std::vector<std::string> names;
  for (const ParamSpec& spec : schemes::paramsOf(*schemes::find("own"), values))
    if (spec.kind == ParamKind::real) names.push_back(spec.key);
  return names;
}

using Names = std::vector<std::string>;

TEST(Own, anyNameIsANumberInTheOrderOfFirstUse) {
  EXPECT_EQ(numbersIn(own("table", "sin(pos*omega)/tau + omega_2 - Omega*omega")),
            (Names{"omega", "tau", "omega_2", "Omega"}));
  EXPECT_EQ(numbersIn(own("bias", "-k*abs(offset) + mod(head, 2)*1e3 + pi + _x")), (Names{"k", "_x"}));
  EXPECT_EQ(numbersIn(own("bias", "pos*pair*heads*kind*list")), Names{}) << "taken by the scheme itself";
  EXPECT_EQ(numbersIn({}), (Names{"b", "a"})) << "those of the example";
  EXPECT_EQ(numbersIn(own("table", "alpha*(")), Names{"alpha"}) << "a formula is typed letter by letter";
}

TEST(Own, namedNumbersReachTheFormula) {
  ParamValues values = own("bias", "one + 10*two + 100*drei + 1000*vier4");
  EXPECT_EQ(std::get<OffsetBias<double>>(test::encoded("own", values, shapeOf()).logits.bias).at(0, 0), 1111)
      << "a number is 1 until it is set";
  for (const auto& [name, value] : {std::pair{"one", 1.0}, {"two", 2.0}, {"drei", 3.0}, {"vier4", 4.0}})
    values[name] = value;
  EXPECT_EQ(std::get<OffsetBias<double>>(test::encoded("own", values, shapeOf()).logits.bias).at(0, 0), 4321);
  EXPECT_EQ(schemes::find("own")->substitution(own("bias", "-slope*abs(offset)"), shapeOf()),
            "-slope*abs(offset), slope = 1");
}

TEST(Own, aNumberIsAParameterLikeAnyOther) {
  const std::vector<ParamSpec> specs = schemes::paramsOf(*schemes::find("own"), own("bias", "omega*offset"));
  const ParamSpec* omega = findParam(specs, "omega");
  ASSERT_TRUE(omega);
  EXPECT_EQ(omega->default_value, Value(1.0));
  EXPECT_EQ(omega->label.zh, "omega");
  EXPECT_LT(omega->slider_minimum, omega->slider_maximum);
  EXPECT_TRUE(isRelevant(*omega, specs, own("bias", "omega*offset")));
  EXPECT_FALSE(isRelevant(*omega, specs, own("list", "omega*offset")));
  ParamValues far = own("bias", "omega*offset");
  far["omega"] = 2e9;
  EXPECT_EQ(test::refusal("own", far, shapeOf()), "own: omega must be -1e+09 to 1e+09, got 2e+09");
}

TEST(Own, aNumberThatTheFormulaLeftChangesNothing) {
  ParamValues values = own("bias", "-abs(offset)");
  values["omega"] = 3.0;
  EXPECT_TRUE(schemes::find("own")->check(values, shapeOf())) << "it may come back with the next letter";
  EXPECT_EQ(schemes::withoutIdle(*schemes::find("own"), values), own("bias", "-abs(offset)"));
  values["no name"] = 3.0;
  EXPECT_EQ(test::refusal("own", values, shapeOf()),
            "own: there is no parameter 'no name'; known: kind, formula, list, pairing");
}

TEST(Own, aNameThatIsNoNumberIsASentence) {
  EXPECT_EQ(test::refusal("own", own("bias", "1 + list*2"), shapeOf()),
            "own: formula, column 5: 'list' is another parameter of this scheme; give the number another name");
  EXPECT_EQ(test::refusal("own", own("table", std::string(33, 'x')), shapeOf()),
            "own: formula, column 1: a name has at most 32 letters, this one 33");
  std::string many = "n0";
  for (int n = 1; n < 16; ++n) many += join("+n", n);
  EXPECT_EQ(numbersIn(own("bias", many)).size(), 16U);
  EXPECT_TRUE(schemes::find("own")->check(own("bias", many), shapeOf()));
  EXPECT_EQ(test::refusal("own", own("bias", many + "+n16"), shapeOf()),
            "own: formula, column 55: a formula has at most 16 numbers of its own; 'n16' is one more");
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
  EXPECT_EQ(test::refusal("own", own("bias", "pos"), shapeOf()),
            "own: formula, column 1: 'pos' is not known in a formula of this kind; it has offset, head, heads");
  EXPECT_TRUE(test::refusal("own", own("bias", "2*sine(offset)"), shapeOf())
                  .starts_with("own: formula, column 3: 'sine' is not known"));
  const auto wrong = schemes::find("own")->encode(own("table", "1/pos"), shapeOf());
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message.en,
            "own: the formula must give finite numbers, got infinity at pos = 0, i = 0, d = 10");
  Shape odd = shapeOf();
  odd.head_dim = 7;
  EXPECT_EQ(schemes::find("own")->check(own("frequency"), odd).error().code, ErrorCode::bad_shape);
  Shape huge = shapeOf(1 << 24);
  huge.num_heads = 1024;
  EXPECT_EQ(schemes::find("own")->check(own("bias"), huge).error().code, ErrorCode::too_large);
}

TEST(Own, aTableTooLargeToBeStoredIsComputedWhereItIsRead) {
  Shape huge = shapeOf(131072);
  huge.d_model = 4096;
  huge.first_position = 7;
  const auto encoding = schemes::find("own")->encode(own("table", "sin(pos*tau) + i*1e-6"), huge);
  ASSERT_TRUE(encoding) << encoding.error().message.en;
  EXPECT_TRUE(encoding->input.table.empty());
  std::vector<float> room;
  const Rows<float> rows = encoding->input.tableBlock(131070, 131072, room);
  EXPECT_EQ(rows.row(1)[4095], static_cast<float>(std::sin(131078.0) + 4095 * 1e-6));
  const auto refused = schemes::find("own")->encode(own("table", "1/(pos - 7 - 131071)"), huge);
  ASSERT_FALSE(refused) << "the last row is looked at";
  EXPECT_EQ(refused.error().message.en,
            "own: the formula must give finite numbers, got infinity at pos = 131078, i = 0, d = 4096");
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
  const auto before = parseScheme("own,omega=2,formula=omega*tau*pos,tau=3", none);
  ASSERT_TRUE(before) << before.error().message.en << ": a number may stand before the formula that names it";
  EXPECT_EQ(before->values.at("omega"), Value(2.0));
  EXPECT_EQ(before->values.at("tau"), Value(3.0));
  const auto wrong = parseScheme("own,formula=omega*pos,omeg=2", none);
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(wrong.error().message.en.starts_with("own: there is no parameter 'omeg'; did you mean omega?"))
      << wrong.error().message.en;
}

TEST(Own, travelsInASession) {
  Experiment e;
  ParamValues values = own("table", "sin(pos*omega)/tau");
  values["omega"] = 0.25;
  values["gone"] = 7.0;
  e.schemes.emplace_back();
  e.schemes.back().id = "own";
  e.schemes.back().values = values;
  const Expected<session::Opened> opened = session::fromText(session::toJson(e).dump(), "a.json");
  ASSERT_TRUE(opened);
  EXPECT_TRUE(opened->notes.empty());
  values.erase("gone");
  EXPECT_EQ(opened->experiment.schemes.at(0).values, values);
}

}  // namespace
}  // namespace posiscope

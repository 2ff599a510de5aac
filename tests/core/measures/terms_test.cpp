// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/terms.h"

#include "core/measures/list.h"
#include "core/schemes/list.h"
#include "core/screen_number.h"
#include "tests/support/answer_of.h"

#include <gtest/gtest.h>
#include <cmath>
#include <regex>

namespace posiscope::measures {
namespace {

using test::answerOf;

Question question(const char* measure, const char* scheme, ParamValues values = {}, std::int64_t seq_len = 600) {
  return test::questionOf(measure, scheme, std::move(values), seq_len);
}

void replaceAll(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

double number(const std::string& text) { return text.empty() ? 1 : std::stod(text); }

/// The value of a term, from nothing but the numbers that are written in it.
double valueOf(std::string term) {
  replaceAll(term, "\u202f", "");
  replaceAll(term, "−", "-");
  replaceAll(term, " · ", "*");
  // "sin(412*0.1), 0.1 = 10000^(-2/8)": where the number comes from is tested with the scheme.
  if (const std::size_t power = term.find(", "); term.find("^(") != std::string::npos) term.resize(power);
  std::smatch m;
  const std::size_t named = term.find("), θ");
  if (named != std::string::npos) {
    // "cos(412*θ₂₁), θ₂₁ = 0.0135": the number takes the name's place.
    const std::string value = term.substr(term.find(" = ") + 3);
    const std::size_t name = term.find("θ");
    term = term.substr(0, name) + value + ")";
  }
  static const std::regex wave(R"(^(?:([\d.e+-]+)\*)?(sin|cos)\(([\d.e+-]+)\*([\d.e+-]+)\)$)");
  static const std::regex slope(R"(^([\d.e+-]+)\*\|([\d.e+-]+)\|$)");
  static const std::regex product(R"(^([\d.e+-]+)\*\(?([\d.e+-]+)\)?$)");
  static const std::regex behind(R"(^([\d.e+-]+)\*\((\d+) - (\d+)\)$)");
  if (std::regex_match(term, m, wave)) {
    const double angle = number(m[3]) * number(m[4]);
    return number(m[1]) * (m[2] == "sin" ? std::sin(angle) : std::cos(angle));
  }
  if (std::regex_match(term, m, slope)) return number(m[1]) * std::abs(number(m[2]));
  if (std::regex_match(term, m, product)) return number(m[1]) * number(m[2]);
  if (std::regex_match(term, m, behind)) return number(m[1]) * (number(m[2]) - number(m[3]));
  ADD_FAILURE() << "no numbers in " << term;
  return std::nan("");
}

/// Every tenth cell or so of every map is what its term says.
void expectTermsToBeTheValues(const Question& q, double tolerance) {
  const Dataset dataset = answerOf(q);
  ASSERT_FALSE(dataset.maps.empty());
  for (const Map& map : dataset.maps) {
    ASSERT_TRUE(map.term) << map.key;
    for (std::int64_t r = 0; r < map.field->rows(); r += 1 + map.field->rows() / 17)
      for (std::int64_t c = 0; c < map.field->cols(); c += 1 + map.field->cols() / 13)
        ASSERT_NEAR(valueOf(map.term(r, c)), map.field->at(r, c), tolerance)
            << q.scheme.id << ' ' << map.key << " (" << r << ", " << c << "): " << map.term(r, c);
  }
}

TEST(Terms, numbersOfTheAddedTableGiveTheCell) {
  expectTermsToBeTheValues(question("position_table", "sinusoidal"), 1e-4);
  expectTermsToBeTheValues(
      question("position_table", "sinusoidal",
               {{"columns", std::string("concatenated")}, {"frequencies", std::string("endpoint")}, {"scale", 0.5}}),
      1e-4);
  Question late = question("position_table", "sinusoidal");
  late.shape.first_position = 1e6;
  expectTermsToBeTheValues(late, 1e-4);
  EXPECT_EQ(answerOf(question("position_table", "sinusoidal")).maps[0].term(412, 1),
            "cos(412 · 1), 1 = 10\u202f000^(0/32)");
}

TEST(Terms, numbersOfTheRotationGiveTheCell) {
  expectTermsToBeTheValues(question("position_table", "rope"), 1e-4);
  expectTermsToBeTheValues(question("position_table", "rope",
                                    {{"scaling", std::string("yarn")}, {"factor", 8.0}, {"original_length", 64.0}}),
                           2e-4);
  const Dataset dataset = answerOf(question("position_table", "rope"));
  EXPECT_EQ(dataset.maps[0].term(412, 4), "cos(412 · θ₄), θ₄ = 0.01");
  EXPECT_EQ(dataset.maps[1].term(412, 4), "sin(412 · θ₄), θ₄ = 0.01");
}

TEST(Terms, numbersOfALinearBiasGiveTheCell) {
  for (const char* form : {"symmetric", "signed", "key_only", "mpt"})
    expectTermsToBeTheValues(question("position_table", "alibi", {{"form", std::string(form)}}, 60), 1e-4);
  const Dataset dataset = answerOf(question("similarity", "alibi"));
  EXPECT_EQ(dataset.maps[0].term(3, 415), "−0.25 · |−412|");
}

TEST(Terms, aLookedUpBiasNamesItsRow) {
  const Question q = question("position_table", "t5_log");
  const Dataset dataset = answerOf(q);
  const std::int64_t far = q.shape.seq_len - 1 + 412;  // the column of offset 412
  EXPECT_EQ(dataset.maps[0].term(3, far), "b[15, 3], 15 = bucket(−412)");
  const Dataset simple = answerOf(question("position_table", "t5_simple"));
  EXPECT_EQ(simple.maps[0].term(3, far), "b[32, 3], 32 = clip(412, ±16) + 16");
  Question learned = question("position_table", "learned");
  learned.shape.first_position = 5;
  EXPECT_EQ(answerOf(learned).maps[0].term(407, 7), "E[412, 7]");
}

TEST(Terms, similarityIsAProductOrASumOfCosines) {
  const Question sines = question("similarity", "sinusoidal");
  EXPECT_EQ(answerOf(sines).maps[0].term(412, 7), "P[412] · P[7]");
  Question cosine = sines;
  cosine.options = {{"normalize", std::string("cosine")}};
  EXPECT_EQ(answerOf(cosine).maps[0].term(412, 7), "P[412] · P[7] / (‖P[412]‖ ‖P[7]‖)");
  Question rope = question("similarity", "rope");
  EXPECT_EQ(answerOf(rope).maps[0].term(412, 7), "2 · Σₚ cos(405 · θₚ)");
  rope.options = {{"normalize", std::string("cosine")}};
  EXPECT_EQ(answerOf(rope).maps[0].term(412, 7), "Σₚ cos(405 · θₚ) / 8");
}

TEST(Terms, attentionShowsWhereThePositionEnters) {
  const auto term = [](const char* scheme, std::int64_t i, std::int64_t j) {
    Question q = question("attention_weights", scheme, {}, 40);
    q.mask.causal = true;
    return answerOf(q).maps.at(1).term(i, j);
  };
  EXPECT_EQ(term("none", 30, 7), "softmaxⱼ(0.25 · q[30] · k[7])");
  EXPECT_EQ(term("none", 7, 30), "exp(−∞) = 0");
  EXPECT_EQ(term("rope", 30, 7), "softmaxⱼ(0.25 · q[30]ᵀ R(−23) k[7])");
  EXPECT_EQ(term("alibi", 30, 7), "softmaxⱼ(0.25 · q[30] · k[7] + β), β = −0.0625 · |23|");
  EXPECT_EQ(term("sinusoidal", 30, 7), "softmaxⱼ(0.25 · q[30] · k[7]), q[i] = W_Q (x[i] + P[i])");
  Question logits = question("attention_weights", "none", {}, 40);
  logits.options = {{"quantity", std::string("logits")}};
  EXPECT_EQ(answerOf(logits).maps.at(0).term(30, 7), "0.25 · q[30] · k[7]");
}

TEST(Terms, everyMeasureOfEverySchemeHasThem) {
  for (const Scheme& scheme : schemes::catalogue())
    for (const Measure& measure : catalogue()) {
      const Question q = question(measure.id.c_str(), scheme.id().c_str(), {}, 24);
      const Dataset dataset = answerOf(q);
      for (const Map& map : dataset.maps)
        EXPECT_TRUE(map.term && !map.term(map.field->rows() - 1, map.field->cols() / 2).empty())
            << measure.id << ' ' << scheme.id() << ' ' << map.key;
      for (const Curve& curve : dataset.curves) {
        if (curve.role != CurveRole::line) continue;
        EXPECT_TRUE(curve.term && !curve.term(curve.x.back()).empty())
            << measure.id << ' ' << scheme.id() << ' ' << curve.key;
      }
    }
}

TEST(Terms, curvesAreTakenAtTheirAbscissa) {
  const Dataset decay = answerOf(question("relative_decay", "rope"));
  EXPECT_EQ(decay.curves.at(0).term(405), "Σₚ cos(405 · θₚ) / 8");
  EXPECT_EQ(answerOf(question("relative_decay", "alibi")).curves.at(0).term(405), "−0.25 · |405|");
  EXPECT_EQ(answerOf(question("spectrum", "rope")).curves.at(0).term(4), "2π / θ₄, θ₄ = 0.01");
  const Dataset waves = answerOf(question("waves", "sinusoidal"));
  EXPECT_NEAR(valueOf(waves.curves.at(1).term(412)), waves.curves[1].y[412], 1e-4);
}

TEST(ScreenFactor, hasTheDigitsItsProductNeeds) {
  EXPECT_EQ(screenFactor(0.0135321, 1), "0.013532");
  EXPECT_EQ(screenFactor(0.25, 1e6), "0.25");
  EXPECT_EQ(screenFactor(-2, 1), "−2");
  const double third = 1.0 / 3;
  EXPECT_NEAR(std::stod(screenFactor(third, 1e6)) * 1e6, third * 1e6, 5e-5);
  EXPECT_EQ(subscript(-405), "₋₄₀₅");
  EXPECT_EQ(subscript(0), "₀");
}

}  // namespace
}  // namespace posiscope::measures

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula.h"

#include "core/parallel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace posiscope {
namespace {

Formula formulaOf(std::string text) { return {std::move(text), {"x", "y"}, {{"a", 3.0}}}; }

/// The value at x = 2, y = 5, or the sentence of the refusal.
std::string valueAt(const std::string& text) {
  const auto values = evaluateFormula("own", formulaOf(text), 1, [](std::int64_t, std::span<double> at) {
    at[0] = 2;
    at[1] = 5;
  });
  if (values) return join(values->front());
  EXPECT_FALSE(values.error().message.zh.empty()) << text;
  return values.error().message.en;
}

TEST(Formula, computesWhatItSays) {
  EXPECT_EQ(valueAt("x + y*a"), "17");
  EXPECT_EQ(valueAt("-x^2"), "-4");
  EXPECT_EQ(valueAt("2^3^2"), "512");
  EXPECT_EQ(valueAt("floor(y/x) + ceil(y/x)"), "5");
  EXPECT_EQ(valueAt("mod(-1, y)"), "4");
  EXPECT_EQ(valueAt("cos(pi)"), "-1");
  EXPECT_EQ(valueAt("x < y ? max(x, y) : 0"), "5");
  EXPECT_EQ(valueAt("x == 2 && y != 2"), "1");
  EXPECT_EQ(valueAt("ln(exp(x)) + log10(100) + log2(8)"), "7");
}

TEST(Formula, aMistakeIsASentenceWithItsColumn) {
  EXPECT_EQ(valueAt("x + z"),
            "own: formula, column 5: 'z' is not known; names here: x, y, a, pi and functions such as sin");
  EXPECT_EQ(valueAt("x +"), "own: formula, column 4: the formula ends too early");
  EXPECT_EQ(valueAt(" "), "own: formula, column 1: the formula is empty");
  EXPECT_EQ(valueAt("(x + y"), "own: formula, column 7: a closing parenthesis is missing");
  EXPECT_EQ(valueAt("x = 3"), "own: formula, column 3: '=' would assign; compare with '=='");
  EXPECT_EQ(valueAt("x, y"), "own: formula, column 2: one value is wanted, not several");
  EXPECT_EQ(valueAt("\"abc\""), "own: formula, column 1: texts cannot be computed with");
  EXPECT_EQ(valueAt("x + \"abc\""), "own: formula, column 5: texts cannot be computed with");
  EXPECT_EQ(valueAt("x + \"abc"), "own: formula, column 5: texts cannot be computed with");
  for (const char* wrong :
       {"x y",   "x + * y", ")",    "sin()", "sin(x, y)", "max()", "\"file\"", "x ? y", "x : y", "1..2",
        "x +\n", "x += 1",  "位置", "sin",   "a(x)",      "$",     "x & y",    "1e",    "0x",    "? :"}) {
    const std::string answer = valueAt(wrong);
    EXPECT_TRUE(answer.starts_with("own: formula, column ")) << wrong << ": " << answer;
  }
  // A column counts characters, not bytes.
  EXPECT_TRUE(valueAt("x + 位").starts_with("own: formula, column 5: "));
}

TEST(Formula, aNumberThatIsTooLargeIsNamed) {
  EXPECT_EQ(valueAt("1e400*0"), "own: formula, column 1: the number 1e400 is too large; numbers reach up to 1.8e308");
  EXPECT_EQ(valueAt("x + .1e999"),
            "own: formula, column 5: the number .1e999 is too large; numbers reach up to 1.8e308");
  EXPECT_EQ(valueAt("1e308*0"), "0");
  EXPECT_TRUE(valueAt("a1e400").find("is not known") != std::string::npos) << "a name, not a number";
}

TEST(Formula, aTokenIsShownWithoutTheBlanksBehindIt) {
  EXPECT_TRUE(valueAt("$ 1").starts_with("own: formula, column 1: '$' is not known;")) << valueAt("$ 1");
  EXPECT_EQ(valueAt("x *  + "), "own: formula, column 8: this is not a formula") << "the parser's own words are none";
}

TEST(Formula, onlyTheUnknownWordOrSignIsNamed) {
  EXPECT_TRUE(valueAt("位置+x").starts_with("own: formula, column 1: '位置' is not known;")) << valueAt("位置+x");
  EXPECT_TRUE(valueAt("λ*x+foo(").starts_with("own: formula, column 1: 'λ' is not known;")) << valueAt("λ*x+foo(");
  EXPECT_TRUE(valueAt("2*x;3").starts_with("own: formula, column 4: ';' is not known;")) << valueAt("2*x;3");
}

TEST(Formula, refusesWhatIsNotFinite) {
  EXPECT_EQ(valueAt("1/(x - 2)"), "own: the formula must give finite numbers, got infinity at x = 2, y = 5");
  EXPECT_TRUE(valueAt("sqrt(-x)").starts_with("own: the formula must give finite numbers, got not a number (NaN) at "));
  EXPECT_TRUE(valueAt("-10^10^10").starts_with("own: the formula must give finite numbers, got minus infinity at "));
}

TEST(Formula, isBoundedBeforeItRuns) {
  EXPECT_EQ(valueAt(std::string(501, '1')), "own: the formula must have at most 500 bytes, got 501");
  const Outcome large = checkFormula("own", formulaOf("x + y"), std::int64_t{1} << 40);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::too_large);
  EXPECT_TRUE(valueAt(std::string(499, '(')).starts_with("own: formula, column "));
  EXPECT_EQ(valueAt(std::string(249, '(') + "x" + std::string(249, ')')), "2");
  EXPECT_EQ(valueAt(std::string(400, '-') + "x"), valueAt(std::string(400, '-') + "x"));  // no crash either way
}

TEST(Formula, anyTextIsAValueOrASentence) {
  const std::string parts[] = {
      "x", "y",    "a",    "1",    "2.5", "e", "(",  ")", "+", "-",  "*",   "/", "^",   ",",  "?",
      ":", "sin(", "max(", "mod(", "==",  "<", "&&", "!", " ", "\"", "_pi", "=", "1e9", "\t", "sum("};
  std::mt19937_64 random(7);
  for (int round = 0; round < 6000; ++round) {
    std::string text;
    for (auto left = random() % 12; left > 0; --left) text += parts[random() % std::size(parts)];
    ASSERT_FALSE(valueAt(text).empty()) << text;
  }
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (auto left = random() % 40; left > 0; --left) text += static_cast<char>(random() % 256);
    ASSERT_FALSE(valueAt(text).empty());
  }
}

TEST(Formula, isTheSameOnAnyNumberOfThreads) {
  const auto evaluate = [] {
    return *evaluateFormula("own", formulaOf("sin(x/a) + y"), 20000, [](std::int64_t n, std::span<double> at) {
      at[0] = static_cast<double>(n);
      at[1] = static_cast<double>(n % 7);
    });
  };
  const int before = threads();
  setThreads(1);
  const auto one = evaluate();
  setThreads(5);
  const auto five = evaluate();
  setThreads(before);
  EXPECT_EQ(one, five);
  EXPECT_NEAR(one[19999], std::sin(19999 / 3.0) + 19999 % 7, 1e-12);
}

TEST(Formula, theFirstBadPointIsNamedWhateverTheThreads) {
  const auto values = evaluateFormula("own", formulaOf("1/(x - 9000) + 1/(x - 15000)"), 20000,
                                      [](std::int64_t n, std::span<double> at) { at[0] = static_cast<double>(n); });
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().message.en, "own: the formula must give finite numbers, got infinity at x = 9000, y = 0");
}

TEST(Formula, namesAreWholeWords) {
  EXPECT_TRUE(mentions("a*x", "a"));
  EXPECT_FALSE(mentions("max(x, abs(y))", "a"));
  EXPECT_TRUE(mentions("tan(a)", "a"));
  EXPECT_FALSE(mentions("a1 + _a", "a"));
}

}  // namespace
}  // namespace posiscope

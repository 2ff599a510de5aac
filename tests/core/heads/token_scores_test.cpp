// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/heads/token_scores.h"

#include "tests/support/golden.h"

#include <gtest/gtest.h>
#include <numeric>

namespace posiscope::heads {
namespace {

using Tokens = std::vector<std::int64_t>;

/// All weight of each query evenly on the keys of the pattern; on token 0 where it has none.
std::vector<float> perfect(Pattern pattern, const Tokens& tokens) {
  const auto length = static_cast<std::int64_t>(tokens.size());
  std::vector<float> values(tokens.size() * tokens.size());
  for (std::int64_t i = 0; i < length; ++i) {
    const std::span<float> row(values.data() + i * length, tokens.size());
    float hits = 0;
    for (std::int64_t j = 0; j < length; ++j)
      if (matches(pattern, tokens, i, j)) row[static_cast<std::size_t>(j)] = 1, ++hits;
    if (hits == 0) row[0] = 1;
    if (hits > 1)
      for (float& a : row) a /= hits;
  }
  return values;
}

PatternScores scoresOf(const std::vector<float>& values, Pattern pattern, const Tokens& tokens) {
  const auto length = static_cast<std::int64_t>(tokens.size());
  return patternScores<float>({values.data(), length, length}, pattern, tokens);
}

TEST(TokenScores, aPerfectHeadForPreviousTokensMissesOnlyTheFirst) {
  const Tokens tokens{5, 6, 7, 8, 9};
  const PatternScores scores = scoresOf(perfect(Pattern::previous, tokens), Pattern::previous, tokens);
  EXPECT_DOUBLE_EQ(scores.mul[0], 4.0 / 5);
  EXPECT_DOUBLE_EQ(scores.mul[static_cast<std::size_t>(Exclusion::self)], 1);  // token 0 looks at itself
  EXPECT_DOUBLE_EQ(scores.mul[static_cast<std::size_t>(Exclusion::both)], 1);
  EXPECT_DOUBLE_EQ(scores.abs[0], 1 - 1.0 / 5);
}

TEST(TokenScores, inductionLooksBehindTheEarlierCopy) {
  const Tokens tokens{1, 2, 3, 1, 2, 3};
  EXPECT_TRUE(matches(Pattern::induction, tokens, 3, 1));
  EXPECT_TRUE(matches(Pattern::induction, tokens, 5, 3));
  EXPECT_FALSE(matches(Pattern::induction, tokens, 3, 0));
  EXPECT_FALSE(matches(Pattern::induction, tokens, 0, 1));  // ahead
  EXPECT_TRUE(matches(Pattern::duplicate, tokens, 3, 0));
  EXPECT_FALSE(matches(Pattern::duplicate, tokens, 3, 3));
  const Tokens pair{8, 8};
  EXPECT_TRUE(matches(Pattern::induction, pair, 1, 1));  // the query itself, behind its copy
  const auto copying = scoresOf(perfect(Pattern::induction, tokens), Pattern::induction, tokens);
  EXPECT_DOUBLE_EQ(copying.mul[0], 3.0 / 6);
  EXPECT_DOUBLE_EQ(copying.mul[static_cast<std::size_t>(Exclusion::first)], 1);
}

TEST(TokenScores, nothingLeftToShareIsZeroNotNaN) {
  const Tokens tokens{1, 1, 1};
  const std::vector<float> sink{1, 0, 0, 1, 0, 0, 1, 0, 0};
  const PatternScores scores = scoresOf(sink, Pattern::induction, tokens);
  EXPECT_EQ(scores.mul[static_cast<std::size_t>(Exclusion::first)], 0);
  EXPECT_EQ(scores.mul[static_cast<std::size_t>(Exclusion::both)], 0);
}

TEST(TokenScores, aPatternWithoutAMatchScoresZero) {
  const Tokens tokens{1, 2, 3, 4};
  std::vector<float> uniform(16);
  for (std::size_t i = 0; i < 4; ++i)
    std::fill_n(uniform.begin() + static_cast<std::ptrdiff_t>(4 * i), i + 1, 1.0F / static_cast<float>(i + 1));
  const PatternScores scores = scoresOf(uniform, Pattern::induction, tokens);
  EXPECT_EQ(scores.mul[0], 0);
  EXPECT_NEAR(scores.abs[0], 0, 1e-7);
  EXPECT_GT(scores.abs[static_cast<std::size_t>(Exclusion::first)], 0.1);  // rises for nothing
}

template <class T>
void expectGoldenScores() {
  const Tokens tokens{9, 4, 7, 2, 4, 7, 2, 9, 4, 7};
  const Array weights = test::golden("inputs/heads_repeat_previous__attn", "reference_more");
  const std::vector<T> values = test::numbersOf<T>(weights);
  for (const Pattern pattern : all_patterns) {
    std::vector<double> found;
    for (std::int64_t head = 0; head < weights.shape[0]; ++head) {
      const PatternScores s = patternScores<T>({values.data() + head * 100, 10, 10}, pattern, tokens);
      found.insert(found.end(), s.mul.begin(), s.mul.end());
      found.insert(found.end(), s.abs.begin(), s.abs.end());
    }
    const std::string name = "golden/heads_repeat_" + std::string(patternId(pattern)) + "__score";
    test::expectClose(found, test::golden(name, "reference_more"), 1e-10, 1e-12, name);
  }
}

TEST(TokenScores, areTheGoldenOnes) {
  expectGoldenScores<double>();
  expectGoldenScores<float>();
}

}  // namespace
}  // namespace posiscope::heads

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/own_score_decay.h"

#include "core/measures/list.h"
#include "core/softplus.h"
#include "tests/support/answer_of.h"

#include <gtest/gtest.h>
#include <cmath>

namespace posiscope::measures {
namespace {

using test::answerOf;

Question question(const char* measure, const char* scheme, ParamValues values = {}, std::int64_t seq_len = 64) {
  return test::questionOf(measure, scheme, std::move(values), seq_len);
}

/// Σ cos(n·b^(−2p/16)) / 8.
double plainAt(double n) {
  double sum = 0;
  for (int p = 0; p < 8; ++p) sum += std::cos(n * std::pow(1e4, -2.0 * p / 16));
  return sum / 8;
}

TEST(OwnScoreDecay, rectifiedDistancesAreThoseOfRopeUpToTheWindow) {
  Question exact = question("relative_decay", "rerope", {{"window", 10.0}});
  Question leaky = question("relative_decay", "leaky_rerope", {{"window", 10.0}, {"factor", 4.0}});
  const Dataset flat = answerOf(exact), slow = answerOf(leaky);
  ASSERT_EQ(flat.curves.size(), 1U) << flat.nothing.en;
  ASSERT_EQ(slow.curves.size(), 1U) << slow.nothing.en;
  EXPECT_EQ(flat.curves[0].key, "ones");
  for (std::size_t n = 0; n < 64; ++n) {
    const auto at = static_cast<double>(n);
    EXPECT_EQ(flat.curves[0].x[n], at);
    EXPECT_NEAR(flat.curves[0].y[n], plainAt(std::min(at, 10.0)), 1e-9) << n;
    EXPECT_NEAR(slow.curves[0].y[n], plainAt(at < 10 ? at : 10 + (at - 10) / 4), 1e-9) << n;
  }
  exact.options["negative"] = true;
  exact.options["normalise"] = false;
  const Dataset both = answerOf(exact);
  ASSERT_EQ(both.curves.at(0).y.size(), 127U);
  EXPECT_EQ(both.curves[0].x.front(), -63);
  for (std::size_t n = 0; n < 64; ++n) {
    EXPECT_NEAR(both.curves[0].y[63 + n], 16 * flat.curves[0].y[n], 1e-8) << n;
    EXPECT_NEAR(both.curves[0].y[63 - n], 16 * plainAt(n < 10 ? static_cast<double>(n) : 10), 1e-8) << n;
  }
}

TEST(OwnScoreDecay, popeTurnsEveryDimensionAtASpeedOfItsOwn) {
  Question q = question("relative_decay", "pope");
  const Dataset one = answerOf(q);
  ASSERT_EQ(one.curves.size(), 1U) << one.nothing.en;
  for (std::size_t n = 0; n < 64; ++n) {
    double sum = 0;
    for (int d = 0; d < 16; ++d) sum += std::cos(static_cast<double>(n) * std::pow(1e4, -d / 16.0));
    EXPECT_NEAR(one.curves[0].y[n], sum / 16, 1e-9) << n;
  }
  q.options["normalise"] = false;
  EXPECT_NEAR(answerOf(q).curves.at(0).y[0], 16 * softplus(1) * softplus(1), 1e-9);
  q.scheme.values["start"] = std::string("uniform");
  const Dataset heads = answerOf(q);
  ASSERT_EQ(heads.curves.size(), 4U);
  EXPECT_EQ(heads.curves[3].key, "ones head 3");
  EXPECT_EQ(heads.curves[3].head, 3);
}

TEST(OwnScoreDecay, whatIsNoFunctionOfTheOffsetIsSaidAndNotDrawn) {
  const auto nothing = [](const char* scheme) { return answerOf(question("relative_decay", scheme)).nothing.en; };
  for (const char* scheme : {"self_extend", "dual_chunk", "fope"})
    EXPECT_NE(nothing(scheme).find("not a function of the offset alone"), std::string::npos) << scheme;
  // Without a causal mask CoPE counts to the end of the row; gates and products are made from the tokens.
  for (const char* scheme : {"cope", "path", "forget_gate"})
    EXPECT_NE(nothing(scheme).find("depends on what the tokens hold"), std::string::npos) << scheme;
}

TEST(OwnScoreDecay, aLongSequenceSaysHowMuchOfItIsDrawn) {
  const Dataset dataset = answerOf(question("relative_decay", "rerope", {}, 20000));
  ASSERT_EQ(dataset.curves.size(), 1U);
  EXPECT_EQ(dataset.curves[0].y.size(), 8192U);
  EXPECT_EQ(dataset.scope.en, "offsets below 8\u202f192");
}

TEST(AnglesOfScores, popeHasOneForEachDimensionAndOthersSayWhyNot) {
  const Dataset spectrum = answerOf(question("spectrum", "pope"));
  ASSERT_EQ(spectrum.curves.size(), 1U) << spectrum.nothing.en;
  ASSERT_EQ(spectrum.curves[0].y.size(), 16U);
  EXPECT_NEAR(spectrum.curves[0].y[8], 2 * 3.14159265358979 * 100, 1e-9);
  const Dataset angles = answerOf(question("angle_map", "pope"));
  ASSERT_EQ(angles.maps.size(), 1U);
  EXPECT_EQ(angles.maps[0].field->cols(), 16);
  EXPECT_NEAR(angles.maps[0].field->at(5, 4), 0.5, 1e-6);
  EXPECT_EQ(answerOf(question("turns", "pope")).curves.size(), 1U);
  for (const char* measure : {"spectrum", "turns", "angle_map"}) {
    EXPECT_NE(answerOf(question(measure, "fope")).nothing.en.find("mixes several frequencies"), std::string::npos);
    for (const char* scheme : {"rerope", "leaky_rerope", "self_extend", "dual_chunk"})
      EXPECT_NE(answerOf(question(measure, scheme)).nothing.en.find("a query and a key together"), std::string::npos);
  }
}

}  // namespace
}  // namespace posiscope::measures

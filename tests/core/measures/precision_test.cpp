// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/derived.h"
#include "tests/support/answer_of.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

namespace posiscope::measures {
namespace {

using std::string;

Question question(const char* format, const char* rounding, std::int64_t seq_len, double tolerance = 0.1) {
  Question q = test::questionOf("precision", "rope", {}, seq_len);
  q.shape.head_dim = 128;
  q.options = {{"number_format", string(format)}, {"rounding", string(rounding)}, {"tolerance", tolerance}};
  return q;
}

/// Not a number when there is no such metric.
double metric(const Dataset& dataset, const string& key) {
  const auto found = std::ranges::find(dataset.metrics, key, &Metric::key);
  return found == dataset.metrics.end() ? NAN : found->value;
}

TEST(Precision, findsTheFirstPositionThatGoesWrong) {
  // Computed apart from this program, in double, for a head of 128 and a base of 10000.
  const std::tuple<const char*, const char*, double, double> cases[] = {
      {"bfloat16", "angle", 1e-4, 1},     {"bfloat16", "angle", 1e-3, 2},     {"bfloat16", "angle", 1e-2, 5},
      {"bfloat16", "angle", 1e-1, 42},    {"float16", "angle", 1e-3, 5},      {"float16", "angle", 1e-2, 57},
      {"float16", "angle", 1e-1, 303},    {"float32", "all", 1e-4, 1522},     {"float32", "all", 1e-3, 17978},
      {"bfloat16", "frequency", 0.1, 85}, {"float16", "frequency", 0.1, 419}, {"bfloat16", "position", 0.1, 257}};
  for (const auto& [format, rounding, tolerance, position] : cases)
    EXPECT_EQ(metric(test::answerOf(question(format, rounding, 20000, tolerance)), "first_wrong_position"), position)
        << format << " " << rounding << " " << tolerance;
}

TEST(Precision, saysSoWhereNothingGoesWrong) {
  const Dataset dataset = test::answerOf(question("float32", "all", 512));
  EXPECT_TRUE(std::isnan(metric(dataset, "first_wrong_position")));
  ASSERT_EQ(dataset.remarks.size(), 1U);
  EXPECT_EQ(dataset.remarks[0].verdict, Verdict::good);
  for (std::int64_t p = 0; p < 64; ++p) EXPECT_LT(dataset.maps.at(0).field->at(511, p), 1e-4F) << p;
}

TEST(Precision, isTheShorterWayRoundTheCircle) {
  const Dataset dataset = test::answerOf(question("bfloat16", "position", 4096));
  const Map& map = dataset.maps.at(0);
  for (std::int64_t i = 0; i < 4096; i += 7) {
    const double moved = std::abs(rounded(static_cast<double>(i), FloatFormat::bf16) - static_cast<double>(i));
    EXPECT_NEAR(map.field->at(i, 0), std::abs(std::remainder(moved, 2 * M_PI)), 1e-6) << i;
  }
  EXPECT_EQ(map.field->at(256, 0), 0.0F);
  EXPECT_EQ(map.field->at(257, 0), 1.0F);
}

TEST(Precision, leavesNoAngleBeyondTheLargestNumber) {
  Question q = question("float16", "all", 2);
  q.shape.first_position = 65519;
  const Dataset dataset = test::answerOf(q);
  const Map& map = dataset.maps.at(0);
  EXPECT_TRUE(std::isfinite(map.field->at(0, 0)));
  EXPECT_TRUE(std::isnan(map.field->at(1, 0)));
  EXPECT_EQ(map.term(1, 0), "65\u202f520 → ∞");
}

TEST(Precision, roundsTheRotationAndTheAddedSinesAlike) {
  Question q = question("float16", "all", 600);
  const Dataset turned = test::answerOf(q);
  q.scheme.id = "sinusoidal";
  q.shape.d_model = 128;
  const Dataset added = test::answerOf(q);
  EXPECT_EQ(metric(turned, "first_wrong_position"), metric(added, "first_wrong_position"));
  q.scheme.id = "alibi";
  EXPECT_NE(test::answerOf(q).nothing.en.find("no angles"), string::npos);
}

TEST(Precision, sumsTheAxesOfAPatch) {
  Question q = test::questionOf("precision", "rope_2d", {}, 2 * 3);
  q.shape.grid_height = 2;
  q.shape.grid_width = 3;
  q.options["number_format"] = string("float32");
  const Dataset dataset = test::answerOf(q);
  EXPECT_EQ(dataset.maps.at(0).field->rows(), 6);
  EXPECT_EQ(dataset.remarks.at(0).verdict, Verdict::good);
}

}  // namespace
}  // namespace posiscope::measures

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/derived.h"
#include "core/measures/encoded.h"
#include "core/measures/frequencies.h"
#include "core/measures/list.h"
#include "core/rotary.h"
#include "tests/support/answer_of.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

using test::answerOf;

Question question(const char* measure, const char* scheme, ParamValues values = {}, std::int64_t seq_len = 64) {
  Question q = test::questionOf(measure, scheme, std::move(values), seq_len);
  q.shape.head_dim = 128;
  return q;
}

double metric(const Dataset& dataset, const std::string& key) {
  const auto found = std::ranges::find(dataset.metrics, key, &Metric::key);
  EXPECT_NE(found, dataset.metrics.end()) << key;
  return found == dataset.metrics.end() ? 0 : found->value;
}

/// Where the line of this label stands; NaN when there is none.
double markAt(const Dataset& dataset, const std::string& label) {
  const auto found = std::ranges::find(dataset.marks, label, [](const Mark& mark) { return mark.label.en; });
  return found == dataset.marks.end() ? NAN : found->from;
}

ParamValues scaled(const char* scaling, double factor, double original) {
  return {{"base", 500000.0}, {"scaling", std::string(scaling)}, {"factor", factor}, {"original_length", original}};
}

TEST(FrequencyRatio, linearScalingDividesEveryPairAlike) {
  const Dataset dataset = answerOf(question("frequency_ratio", "rope", scaled("linear", 4, 8192)));
  ASSERT_EQ(dataset.curves.size(), 1U);
  ASSERT_EQ(dataset.curves[0].y.size(), 64U);
  for (const double ratio : dataset.curves[0].y) EXPECT_NEAR(ratio, 0.25, 1e-12);
  EXPECT_NEAR(metric(dataset, "smallest_ratio"), 0.25, 1e-12);
  EXPECT_TRUE(dataset.y.logarithmic);
}

TEST(FrequencyRatio, saysThatAShareRoundsDownToNoPair) {
  Question q = question("frequency_ratio", "rope_decoupled");
  q.shape.head_dim = 4;
  EXPECT_NE(answerOf(q).nothing.en.find("The share 0.333333 of a head of 4 dimensions rounds down to no pair"),
            std::string::npos)
      << answerOf(q).nothing.en;
}

TEST(FrequencyRatio, llama3KeepsFastPairsAndMarksItsBounds) {
  Question q = question("frequency_ratio", "rope", scaled("llama3", 8, 8192));
  q.train_length = 8192;
  const Dataset dataset = answerOf(q);
  const std::vector<double>& y = dataset.curves.at(0).y;
  const std::vector<double> lambda = wavelengths(frequencies(128, 500000));
  for (std::size_t p = 0; p < y.size(); ++p) {
    EXPECT_EQ(y[p] == 1, lambda[p] < 8192.0 / 4) << p;
    EXPECT_EQ(std::abs(y[p] - 1.0 / 8) < 1e-12, lambda[p] > 8192) << p;
    EXPECT_LE(y[p], y[p > 0 ? p - 1 : 0] + 1e-12) << p;
  }
  // Between the last pair that turns faster and the first that turns more slowly: 35 pairs complete a turn.
  const double high = markAt(dataset, "λ = L/4 (high)");
  EXPECT_NEAR(std::pow(500000.0, high / 64) * 2 * M_PI, 2048, 1e-6);
  const double trained = markAt(dataset, "λ = 8\u202f192 (trained)");
  EXPECT_GT(trained, 34);
  EXPECT_LT(trained, 35);
  // The low bound and the original length are the training length here: one line is enough.
  EXPECT_EQ(dataset.marks.size(), 2U);
}

TEST(FrequencyRatio, yarnMarksTheBoundsOfItsRampAndNamesTheAttentionFactor) {
  Question q = question("frequency_ratio", "rope", scaled("yarn", 16, 4096));
  const Dataset dataset = answerOf(q);
  RotaryParams params;
  params.base = 500000;
  params.scaling = RotaryScaling::yarn;
  params.factor = 16;
  params.original_length = 4096;
  const YarnBounds bounds = yarnBounds(params, 128);
  EXPECT_EQ(markAt(dataset, "β_fast = 32"), bounds.low);
  EXPECT_EQ(markAt(dataset, "β_slow = 1"), bounds.high);
  EXPECT_EQ(dataset.curves.at(0).y[static_cast<std::size_t>(bounds.low)], 1);
  EXPECT_NEAR(dataset.curves[0].y[static_cast<std::size_t>(bounds.high)], 1.0 / 16, 1e-12);
  EXPECT_NEAR(metric(dataset, "attention_factor"), 0.1 * std::log(16.0) + 1, 1e-12);
  EXPECT_NE(dataset.remarks.back().sentence.en.find("1.277"), std::string::npos) << dataset.remarks.back().sentence.en;
  // The paper's form is not cut to whole pairs: the line is where a pair turns once in the original length.
  const Dataset paper = answerOf(question("frequency_ratio", "rope", scaled("yarn_paper", 16, 4096)));
  EXPECT_NEAR(std::pow(500000.0, markAt(paper, "β_slow = 1") / 64) * 2 * M_PI, 4096, 1e-6);
}

TEST(FrequencyRatio, stoppedPairsNeedALinearAxis) {
  const Question q = question("frequency_ratio", "rope",
                              {{"scaling", std::string("proportional")}, {"factor", 1.0}, {"rotary_share", 0.25}});
  const Dataset dataset = answerOf(q);
  const std::vector<double>& y = dataset.curves.at(0).y;
  ASSERT_EQ(y.size(), 64U);
  EXPECT_EQ(std::ranges::count(y, 1.0), 16);
  EXPECT_EQ(std::ranges::count(y, 0.0), 48);
  EXPECT_FALSE(dataset.y.logarithmic);
}

TEST(FrequencyRatio, isFlatWithoutScalingAndSaysWhereThereIsNone) {
  const Dataset plain = answerOf(question("frequency_ratio", "rope"));
  EXPECT_EQ(std::ranges::count(plain.curves.at(0).y, 1.0), 64);
  EXPECT_NE(plain.remarks.at(0).sentence.en.find("Nothing is scaled"), std::string::npos);
  EXPECT_NE(answerOf(question("frequency_ratio", "sinusoidal")).nothing.en.find("no scaling"), std::string::npos);
  EXPECT_NE(answerOf(question("frequency_ratio", "alibi")).nothing.en.find("no frequencies"), std::string::npos);
}

TEST(FrequencyRatio, marksLieOnlyWhereAPairHasTheWavelength) {
  const std::vector<double> w{1, 0.1, 0.01, 0};
  EXPECT_NEAR(*pairOfWavelength(w, 2 * M_PI), 0, 1e-12);
  EXPECT_NEAR(*pairOfWavelength(w, 20 * M_PI * std::sqrt(10.0)), 1.5, 1e-12);
  EXPECT_FALSE(pairOfWavelength(w, 6));
  EXPECT_FALSE(pairOfWavelength(w, 1000));
}

TEST(Turns, saysThatItCountsWhatTrainingDidBeforeAScaling) {
  const ParamValues scaled{{"base", 500000.0}, {"scaling", std::string("llama3")}, {"factor", 8.0}};
  Question q = question("turns", "rope", scaled, 131072);
  q.train_length = 8192;
  EXPECT_EQ(answerOf(q).remarks.at(0).sentence.en.rfind("Before scaling: 29 of 64 pairs", 0), 0U);
  q.measure = "spectrum";
  EXPECT_EQ(answerOf(q).remarks.at(0).sentence.en.rfind("As scaled: ", 0), 0U) << answerOf(q).remarks.at(0).sentence.en;
}

TEST(Turns, namesThePairsThatNeverCompleteOne) {
  Question q = question("turns", "rope", {{"base", 500000.0}}, 131072);
  q.train_length = 8192;
  const Dataset dataset = answerOf(q);
  EXPECT_EQ(metric(dataset, "incomplete_pairs"), 29);
  EXPECT_EQ(metric(dataset, "first_incomplete_pair"), 35);
  EXPECT_EQ(dataset.remarks.at(0).sentence.en,
            "29 of 64 pairs, from pair 35 on, never complete a turn in 8\u202f192 tokens.");
  ASSERT_EQ(dataset.curves.size(), 2U);
  for (std::size_t p = 0; p < 64; ++p) {
    EXPECT_NEAR(dataset.curves[0].y[p], 16 * dataset.curves[1].y[p], 1e-9 * dataset.curves[0].y[p]);
    EXPECT_EQ(dataset.curves[1].y[p] < 1, p >= 35);
  }
  EXPECT_EQ(dataset.remarks.at(1).verdict, Verdict::warning);
  q.scheme.values = scaled("linear", 16, 8192);
  const Dataset interpolated = answerOf(q);
  EXPECT_EQ(interpolated.remarks.at(1).verdict, Verdict::good);
  // Dashed is what training saw, before the scaling: here both lines are the same.
  for (std::size_t p = 0; p < 64; ++p) EXPECT_NEAR(interpolated.curves[0].y[p], interpolated.curves[1].y[p], 1e-9);
}

TEST(Turns, leaveOutWhatDoesNotTurn) {
  const Dataset dataset = answerOf(
      question("turns", "rope", {{"scaling", std::string("proportional")}, {"factor", 1.0}, {"rotary_share", 0.25}}));
  EXPECT_EQ(dataset.curves.at(0).y.size(), 16U);
  EXPECT_FALSE(answerOf(question("turns", "alibi")).nothing.en.empty());
  Question all = question("turns", "rope", {{"base", 10.0}}, 4096);
  EXPECT_EQ(metric(answerOf(all), "incomplete_pairs"), 0);
  EXPECT_EQ(answerOf(all).remarks.at(0).verdict, Verdict::good);
}

TEST(Turns, countsPairsThatNeverTurnApartFromSlowOnes) {
  Question q = question("turns", "rope",
                        {{"scaling", std::string("proportional")}, {"factor", 1.0}, {"rotary_share", 0.5}}, 300);
  q.shape.head_dim = 16;
  q.train_length = 100;
  const Dataset dataset = answerOf(q);
  EXPECT_EQ(dataset.remarks.at(0).sentence.en, "1 of 8 pairs, pair 3, never complete a turn in 100 tokens.");
  EXPECT_EQ(dataset.remarks.at(1).sentence.en, "4 of 8 pairs do not turn at all: they carry content only.");
  EXPECT_EQ(metric(dataset, "incomplete_pairs"), 1);
  EXPECT_EQ(metric(dataset, "still_pairs"), 4);
  ASSERT_EQ(dataset.curves.size(), 2U);
  EXPECT_EQ(dataset.curves[1].y.size(), 4U) << "they did not turn in training either";
  q.train_length = 10000;
  EXPECT_EQ(answerOf(q).remarks.at(0).sentence.en, "Every pair that turns completes a turn in 10\u202f000 tokens.");
  // The spectrum has the same words.
  q.measure = "spectrum";
  EXPECT_EQ(answerOf(q).remarks.at(1).sentence.en, dataset.remarks[1].sentence.en);
}

TEST(AngleMap, ofTextIsPositionTimesFrequencyWithinATurn) {
  Question q = question("angle_map", "rope", {}, 3000);
  q.shape.first_position = 7;
  const Dataset dataset = answerOf(q);
  ASSERT_EQ(dataset.maps.size(), 1U);
  EXPECT_EQ(dataset.maps[0].kind, MapKind::cyclic);
  const std::vector<double> w = frequencies(128, 10000);
  for (const std::int64_t i : {0, 1, 500, 2999})
    for (const std::int64_t p : {0, 5, 63}) {
      const double angle = (7 + static_cast<double>(i)) * w[static_cast<std::size_t>(p)];
      const double shown = dataset.maps[0].field->at(i, p);
      EXPECT_NEAR(std::remainder(shown - angle, 2 * M_PI), 0, 1e-5);
      EXPECT_GE(shown, 0);
    }
  q.options["wrapped"] = false;
  const Dataset open = answerOf(q);
  EXPECT_NEAR(open.maps[0].field->at(2999, 0), 3006, 1e-3);
  EXPECT_EQ(open.maps[0].kind, MapKind::sequential);
}

Question video(const char* mode) {
  Question q =
      question("angle_map", "mrope", {{"mode", std::string(mode)}, {"segments", std::vector<double>{3, 4, 6}}}, 72);
  q.shape.head_dim = 128;
  return q;
}

TEST(AngleMap, hasAMapForEachAxisAndSaysWhichPairsReadIt) {
  const Dataset chunked = answerOf(video("chunked"));
  ASSERT_EQ(chunked.maps.size(), 4U);
  EXPECT_EQ(chunked.remarks.at(0).sentence.en,
            "Time turns pairs 0–15, height turns pairs 16–39, width turns pairs 40–63.");
  EXPECT_EQ(metric(chunked, "height_pairs"), 24);
  const Map& height = chunked.maps[2];
  EXPECT_EQ(height.key, "height");
  EXPECT_EQ(height.field->rows(), 4);
  const std::vector<double> w = frequencies(128, 1e6);
  EXPECT_NEAR(height.field->at(3, 16), 3 * w[16], 1e-6);
  EXPECT_EQ(height.field->at(3, 15), 0);
  // Row 2 of frame 1: token 24 + 2·6 + 5.
  EXPECT_NEAR(chunked.maps[0].field->at(41, 0), std::fmod(1 * w[0], 2 * M_PI), 1e-6);
  EXPECT_NEAR(chunked.maps[0].field->at(41, 16), 2 * w[16], 1e-6);
  EXPECT_NEAR(chunked.maps[0].field->at(41, 40), 5 * w[40], 1e-6);
  const auto reads = std::ranges::find(chunked.curves, "width", &Curve::key);
  ASSERT_NE(reads, chunked.curves.end());
  EXPECT_EQ(reads->role, CurveRole::mark);
  EXPECT_EQ(reads->y[39], 0);
  EXPECT_EQ(reads->y[40], 1);
  const Dataset interleaved = answerOf(video("interleaved"));
  EXPECT_EQ(interleaved.remarks.at(0).sentence.en,
            "Time turns 24 pairs, height turns pairs 1, 4 … 58, width turns pairs 2, 5 … 59.");
}

TEST(AngleMap, showsTheHeadOfMixedDirectionsAndFractionalPlaces) {
  Question q = question("angle_map", "rope_mixed", {}, 12);
  q.shape.grid_height = 3;
  q.shape.grid_width = 4;
  q.shape.head_dim = 16;
  q.options = {{"head", 2.0}, {"wrapped", false}};
  const Dataset mixed = answerOf(q);
  ASSERT_EQ(mixed.maps.size(), 3U);
  EXPECT_EQ(mixed.maps[0].head, 2);
  const RotationPart& rotation = *(*encodingOf(q))->rotation;
  for (std::int64_t p = 0; p < 8; ++p) {
    EXPECT_NEAR(mixed.maps[0].field->at(11, p), rotation.angle(2, 11, p), 1e-5);
    EXPECT_NEAR(mixed.maps[1].field->at(2, p) + mixed.maps[2].field->at(3, p), rotation.angle(2, 11, p), 1e-5);
  }
  q.options["head"] = 4.0;
  EXPECT_EQ(find("angle_map")->compute(q, Job{}).error().code, ErrorCode::out_of_range);
}

}  // namespace
}  // namespace posiscope::measures

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Turns are those of the positions that a rotation gives its tokens: rows and columns of a grid, drawn ids; n places
// are n steps, as n tokens are. The card counts the same pairs as the views do.
#include "tests/support/answer_of.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace posiscope {
namespace {

Question onGrid(const char* measure, ParamValues values, std::int64_t height, std::int64_t width) {
  Question q = test::questionOf(measure, "rope_2d", std::move(values), height * width);
  q.shape.head_dim = 64;
  q.shape.grid_height = height;
  q.shape.grid_width = width;
  return q;
}

double metric(const Dataset& dataset, const std::string& key) {
  const auto found = std::ranges::find(dataset.metrics, key, &Metric::key);
  EXPECT_NE(found, dataset.metrics.end()) << key;
  return found == dataset.metrics.end() ? NAN : found->value;
}

bool isSaid(const Dataset& dataset, const std::string& words) {
  return std::ranges::any_of(
      dataset.remarks, [&words](const Remark& remark) { return remark.sentence.en.find(words) != std::string::npos; });
}

Property beyond(Question q) {
  q.measure = "properties";
  const Dataset card = test::answerOf(q);
  const auto found = std::ranges::find(card.properties, "beyond_training", &Property::key);
  return found == card.properties.end() ? Property{} : *found;
}

bool says(const Property& p, const std::string& words) { return p.sentence.en.find(words) != std::string::npos; }

TEST(TurnsOnGrids, areThoseOfRowsAndColumns) {
  const Dataset turns = test::answerOf(onGrid("turns", {}, 14, 14));
  EXPECT_NEAR(turns.curves.at(0).y.at(0), 14 / (2 * M_PI), 1e-12);
  EXPECT_NEAR(turns.curves[0].y.at(16), 14 / (2 * M_PI), 1e-12) << "the first pair of the columns";
  EXPECT_EQ(metric(turns, "incomplete_pairs"), 28);
  EXPECT_TRUE(isSaid(turns, "never complete a turn on a grid of 14 × 14.")) << turns.remarks.at(0).sentence.en;
  EXPECT_EQ(turns.curves[0].term(0), "(max φ₀ − min φ₀ + Δφ₀) / 2π = (13 + 1) / 2π");
  Question q = onGrid("spectrum", {}, 14, 14);
  EXPECT_EQ(metric(test::answerOf(q), "incomplete_pairs"), 28);
  q.options["quantity"] = std::string("turns");
  const Dataset there = test::answerOf(q);
  EXPECT_NEAR(there.curves.at(0).y.at(0), 14 / (2 * M_PI), 1e-12);
  EXPECT_EQ(there.curves[0].term(0), turns.curves[0].term(0));
}

TEST(TurnsOnGrids, aRowOfPatchesTurnsAsFarAsTheTokensOfASequence) {
  Question text = test::questionOf("turns", "rope", {}, 6);
  text.shape.head_dim = 32;
  const Curve tokens = test::answerOf(text).curves.at(0);
  EXPECT_NEAR(tokens.y.at(0), 6 / (2 * M_PI), 1e-12);
  const Curve columns = test::answerOf(onGrid("turns", {}, 1, 6)).curves.at(0);
  ASSERT_EQ(columns.y.size(), tokens.y.size()) << "the pairs of the one row do not turn";
  for (std::size_t p = 0; p < tokens.y.size(); ++p) EXPECT_NEAR(columns.y[p], tokens.y[p], 1e-12) << p;
}

TEST(TurnsOnGrids, rowsAndColumnsMayDiffer) {
  const Dataset turns = test::answerOf(onGrid("turns", {}, 3, 20));
  EXPECT_NEAR(turns.curves.at(0).y.at(0), 3 / (2 * M_PI), 1e-12);
  EXPECT_NEAR(turns.curves[0].y.at(16), 20 / (2 * M_PI), 1e-12);
}

TEST(TurnsOnGrids, normalizedCentresMakeTwoTurnsOnAnyGrid) {
  for (const std::int64_t times : {1, 8}) {
    const Dataset turns =
        test::answerOf(onGrid("turns", {{"variant", std::string("normalized")}}, 5 * times, 7 * times));
    for (const double y : turns.curves.at(0).y) EXPECT_LE(y, 2 + 1e-12) << times;
    EXPECT_NEAR(turns.curves[0].y[0], 2, 1e-12);
  }
}

TEST(TurnsOnGrids, aTrainingLengthInTokensTellsNoGrid) {
  Question q = onGrid("turns", {}, 14, 14);
  q.train_length = 64;
  const Dataset turns = test::answerOf(q);
  EXPECT_EQ(turns.curves.size(), 1U);
  EXPECT_TRUE(isSaid(turns, "does not say at which positions they stood"));
  EXPECT_EQ(std::ranges::count(turns.metrics, "unseen_pairs", &Metric::key), 0);
  q.measure = "spectrum";
  const Dataset spectrum = test::answerOf(q);
  ASSERT_EQ(spectrum.marks.size(), 1U) << "a wavelength of so many tokens is none of a grid";
  EXPECT_NEAR(spectrum.marks[0].from, 14, 1e-9) << "steps of an axis, not tokens";
  EXPECT_EQ(spectrum.marks[0].label.en, "never completes a turn on a grid of 14 × 14");
  EXPECT_EQ(metric(spectrum, "incomplete_pairs"), 28);
}

TEST(TurnsOnGrids, oneBandHoldsOnlyWhereAllPairsReachAsFar) {
  Question q = onGrid("spectrum", {}, 4, 8);
  q.train_length = 32;
  EXPECT_TRUE(test::answerOf(q).marks.empty()) << "4 rows and 8 columns";
  q.options["quantity"] = std::string("turns");
  const Dataset turns = test::answerOf(q);
  ASSERT_EQ(turns.marks.size(), 2U);
  EXPECT_EQ(turns.marks[1].from, 0);
  EXPECT_EQ(turns.marks[1].to, 1);
  EXPECT_EQ(turns.marks[1].label.en, "never completes a turn in training") << "it was trained on as many tokens";
}

TEST(TurnsOnGrids, mixedDirectionsGoAsFarAsTheirAnglesDo) {
  Question q = test::questionOf("turns", "rope_mixed", {}, 12);
  q.shape.grid_height = 3;
  q.shape.grid_width = 4;
  const Dataset turns = test::answerOf(q);
  EXPECT_LE(turns.curves.at(0).y.at(0), (3 + 4) / (2 * M_PI) + 1e-12);
  EXPECT_GT(turns.curves[0].y[0], 3 / (2 * M_PI) - 1e-12);
}

/// Fourier features of `tokens` tokens, trained on 100.
Question stretched(const char* measure, const char* span, std::int64_t tokens) {
  Question q = test::questionOf(measure, "fourier", {{"sigma", 3.0}, {"span", std::string(span)}}, tokens);
  q.shape.d_model = 64;
  q.train_length = 100;
  return q;
}

TEST(TurnsOfStretchedPositions, areTheSameInTraining) {
  for (const char* span : {"unit", "centered"}) {
    const Dataset turns = test::answerOf(stretched("turns", span, 400));
    ASSERT_EQ(turns.curves.size(), 2U) << span;
    for (std::size_t i = 0; i < turns.curves[0].y.size(); ++i)
      EXPECT_NEAR(turns.curves[1].y.at(i), turns.curves[0].y[i], 1e-9) << span << " " << i;
    EXPECT_EQ(metric(turns, "unseen_pairs"), 0) << span;
    EXPECT_EQ(metric(turns, "incomplete_pairs"),
              metric(test::answerOf(stretched("turns", span, 100)), "incomplete_pairs"));
    EXPECT_TRUE(isSaid(turns, "At 400 tokens no pair meets an angle never seen in training.")) << span;
  }
  const Dataset bare = test::answerOf(stretched("turns", "positions", 400));
  for (std::size_t i = 0; i < bare.curves.at(0).y.size(); ++i)
    EXPECT_NEAR(bare.curves.at(1).y.at(i), bare.curves[0].y[i] / 4, 1e-9) << i;
}

TEST(TurnsOfStretchedPositions, exactlyOneTurnIsCompleteAtAnyLength) {
  for (std::int64_t tokens = 40; tokens < 60; ++tokens) {
    Question q = stretched("turns", "unit", tokens);
    q.scheme.values = {{"form", std::string("banded")}, {"num_freqs", 4.0}};
    EXPECT_EQ(metric(test::answerOf(q), "incomplete_pairs"), 1) << "half a turn, one, two, four: " << tokens;
  }
}

TEST(TurnsOfStretchedPositions, theSpectrumCountsThemToo) {
  Question q = stretched("spectrum", "unit", 400);
  const Dataset turns = test::answerOf(stretched("turns", "unit", 400)), waves = test::answerOf(q);
  EXPECT_EQ(metric(waves, "incomplete_pairs"), metric(turns, "incomplete_pairs"));
  EXPECT_EQ(metric(waves, "unseen_pairs"), 0);
  ASSERT_EQ(waves.marks.size(), 1U) << "a wave of 100 tokens is no bound here";
  EXPECT_NEAR(waves.marks[0].from, 400, 1e-6);
  q.options["quantity"] = std::string("turns");
  const Dataset counted = test::answerOf(q);
  ASSERT_EQ(counted.curves.size(), 1U);
  ASSERT_EQ(counted.curves[0].y.size(), turns.curves.at(1).y.size());
  for (std::size_t i = 0; i < counted.curves[0].y.size(); ++i)
    EXPECT_NEAR(counted.curves[0].y[i], turns.curves[1].y[i], 1e-9) << i;
  q.scheme.values["span"] = std::string("positions");
  q.options.clear();
  EXPECT_EQ(test::answerOf(q).marks.size(), 2U) << "bare positions: the training length is one";
}

TEST(TurnsOfIds, areThoseOfTheDrawnPositions) {
  Question q = test::questionOf("turns", "position_ids", {{"draw", std::vector<double>{0, 10, 500, 1000}}}, 4);
  EXPECT_NEAR(test::answerOf(q).curves.at(0).y.at(0), (1000 + 10) / (2 * M_PI), 1e-9)
      << "to the last id and the smallest step beyond it";
  q.train_length = 2;
  EXPECT_TRUE(isSaid(test::answerOf(q), "does not say at which positions they stood"));
  Question video = test::questionOf("turns", "mrope", {{"segments", std::vector<double>{3, 4, 6}}}, 72);
  const Dataset turns = test::answerOf(video);
  for (const double y : turns.curves.at(0).y) EXPECT_LE(y, 6 / (2 * M_PI) + 1e-12);
  EXPECT_NEAR(turns.curves[0].y[0], 3 / (2 * M_PI), 1e-12) << "three frames, as three tokens";
  Question text = test::questionOf("turns", "mrope", {}, 72);
  EXPECT_NEAR(test::answerOf(text).curves.at(0).y.at(0), 72 / (2 * M_PI), 1e-12) << "text counts tokens";
}

TEST(UnseenPairs, theCardCountsThoseOfTheViews) {
  Question q = test::questionOf("turns", "rope",
                                {{"base", 500000.0},
                                 {"pairing", std::string("half")},
                                 {"scaling", std::string("llama3")},
                                 {"factor", 8.0},
                                 {"original_length", 8192.0}},
                                131072);
  q.shape.head_dim = 128;
  q.train_length = 8192;
  const double unseen = metric(test::answerOf(q), "unseen_pairs");
  EXPECT_TRUE(says(beyond(q), join(" ", unseen, " of 64 pairs meet angles never seen in training.")))
      << unseen << ": " << beyond(q).sentence.en;
  Question linear = test::questionOf("turns", "rope", {{"scaling", std::string("linear")}, {"factor", 8.0}}, 16384);
  linear.shape.head_dim = 64;
  linear.train_length = 2048;
  EXPECT_EQ(metric(test::answerOf(linear), "unseen_pairs"), 0);
  EXPECT_TRUE(says(beyond(linear), " no pair meets an angle never seen in training.")) << beyond(linear).sentence.en;
}

TEST(UnseenPairs, theCardAsksAllHeads) {
  Question q =
      test::questionOf("turns", "rope", {{"spread", std::string("base")}, {"base_min", 100.0}, {"base_max", 1e9}}, 128);
  q.train_length = 64;
  q.options["head"] = 3.0;
  EXPECT_EQ(metric(test::answerOf(q), "unseen_pairs"), 7);
  q.options.clear();
  EXPECT_TRUE(says(beyond(q), "7 of 8 pairs of head 3, the most of all heads, meet angles never seen in training."))
      << beyond(q).sentence.en;
}

}  // namespace
}  // namespace posiscope

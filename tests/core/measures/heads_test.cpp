// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What heads do: their table, their kinds, attention by offset, the shuffle test.
#include "core/measures/head_report.h"
#include "tests/support/answer_of.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace posiscope::measures {
namespace {

using test::answerOf;

Question question(const char* measure, const char* scheme, std::int64_t seq_len = 48) {
  Question q = test::questionOf(measure, scheme, {}, seq_len);
  q.mask.causal = true;
  return q;
}

std::vector<double> column(const Dataset& dataset, const std::string& key) {
  const auto found = std::ranges::find(dataset.curves, key, &Curve::key);
  if (found != dataset.curves.end()) return found->y;
  ADD_FAILURE() << "no column " << key;
  return std::vector<double>(4);
}

double metric(const Dataset& dataset, const std::string& key) {
  const auto found = std::ranges::find(dataset.metrics, key, &Metric::key);
  return found == dataset.metrics.end() ? std::nan("") : found->value;
}

TEST(Heads, haveOneRowEachWithKindAndEvidence) {
  Question q = question("heads", "alibi", 200);
  q.content.source = ContentSource::ones;  // the bias alone
  const Dataset dataset = answerOf(q);
  // Slopes 1/4, 1/16, 1/64 and 1/256 of 200 tokens, of which those within 12 are near.
  EXPECT_EQ(column(dataset, "kind"), (std::vector<double>{1, 1, 2, 2}));
  ASSERT_EQ(dataset.properties.size(), 4U);
  EXPECT_EQ(dataset.properties[0].word.en, "local");
  EXPECT_NE(dataset.properties[0].sentence.en.find("within 12"), std::string::npos)
      << dataset.properties[0].sentence.en;
  EXPECT_NE(dataset.properties[0].sentence.en.find(", at least 0.5 and at least "), std::string::npos)
      << dataset.properties[0].sentence.en;
  EXPECT_TRUE(dataset.properties[0].sentence.en.ends_with(" (1.5 times what uniform attention gives them)."))
      << dataset.properties[0].sentence.en;
  EXPECT_TRUE(dataset.properties[0].sentence.zh.ends_with("（均匀注意力相应值的 1.5 倍）。"))
      << dataset.properties[0].sentence.zh;
  EXPECT_EQ(dataset.properties[0].value, column(dataset, "local_mass")[0]);
  EXPECT_EQ(dataset.properties[0].tolerance, 0.5);
  EXPECT_EQ(dataset.properties[3].word.en, "global");
  EXPECT_EQ(dataset.properties[3].value, column(dataset, "entropy_norm_mean")[3]);
  const std::string text = csv(dataset);
  EXPECT_EQ(std::ranges::count(text, '\n'), 5);
  EXPECT_NE(text.find("kind,entropy_mean"), std::string::npos) << text;
}

TEST(Heads, theEvidenceTellsOfRowsWithNaN) {
  heads::Metrics m;
  m.keys = 10;
  m.damaged = 10;
  EXPECT_EQ(
      evidenceOf(heads::decideKind(m, {})).en,
      "Undetermined: the number of rows without NaN is 0, below 8. 10 of 10 rows hold NaN and count in no figure.");
  m.rows = 9;
  m.damaged = 1;
  const Text mostly = evidenceOf(heads::decideKind(m, {}));
  EXPECT_TRUE(mostly.en.ends_with(". 1 of 10 rows holds NaN and counts in no figure.")) << mostly.en;
  EXPECT_TRUE(mostly.zh.ends_with("。10 行中有 1 行含有 NaN，不计入任何指标。")) << mostly.zh;
}

TEST(Heads, thresholdsMoveTheKind) {
  Question q = question("heads", "alibi", 200);
  q.content.source = ContentSource::ones;
  q.options = {{"local_mass", 0.9}};
  EXPECT_EQ(column(answerOf(q), "kind")[0], 1);
  EXPECT_NE(column(answerOf(q), "kind")[1], 1);
  q.options = {{"min_len", 201.0}};
  const Dataset none = answerOf(q);
  EXPECT_EQ(column(none, "kind"), std::vector<double>(4));
  EXPECT_NE(none.properties[0].sentence.en.find("keys is 200, below 201"), std::string::npos)
      << none.properties[0].sentence.en;
  q.options = {{"local_window", 3.0}};
  EXPECT_EQ(metric(answerOf(q), "window"), 3);
}

TEST(Heads, answerWithTheWeightsWhereTheyAreAskedFor) {
  Question q = question("heads", "alibi");
  EXPECT_TRUE(answerOf(q).maps.empty());
  q.options = {{"maps", true}, {"tokens", 32.0}};
  const Dataset dataset = answerOf(q);
  q.measure = "attention_weights";
  q.options = {{"tokens", 32.0}};
  const Dataset weights = answerOf(q);
  ASSERT_EQ(dataset.maps.size(), 4U);
  for (std::size_t head = 0; head < 4; ++head) {
    const Map& map = dataset.maps[head];
    EXPECT_EQ(map.head, static_cast<int>(head));
    EXPECT_EQ(map.key, weights.maps[head].key);
    ASSERT_EQ(map.field->rows(), 32);
    for (std::int64_t i = 0; i < 32; ++i) EXPECT_NEAR(map.field->at(i, i), weights.maps[head].field->at(i, i), 1e-6);
    EXPECT_EQ(map.term(3, 2), weights.maps[head].term(3, 2));
  }
  EXPECT_EQ(column(dataset, "kind").size(), 4U) << "beside the figures";
  q.measure = "heads";
  q.options = {{"maps", true}};
  q.draft = true;
  q.shape.seq_len = 400;
  const Dataset draft = answerOf(q);
  EXPECT_TRUE(draft.draft);
  EXPECT_EQ(draft.maps.front().field->rows(), 400) << "on the axes of the whole";
  EXPECT_EQ(column(draft, "kind").size(), 4U);
}

TEST(Heads, columnsAreNamedBeforeThereAreAny) {
  Question q = question("heads", "alibi");
  q.content.source = ContentSource::ones;
  q.shape.grid_height = 6;
  q.shape.grid_width = 8;
  const Dataset dataset = answerOf(q);
  const std::vector<Choice> figures = headFigures();
  ASSERT_EQ(figures.size(), dataset.curves.size());
  for (std::size_t c = 0; c < figures.size(); ++c) {
    EXPECT_EQ(figures[c].key, dataset.curves[c].key);
    EXPECT_EQ(figures[c].label, dataset.curves[c].label);
  }
}

TEST(Heads, knownTokensHaveScoresUnderACausalMask) {
  Question q = question("heads", "none", 4);
  q.content.source = ContentSource::ones;  // one token again and again, looked at evenly
  const Dataset same = answerOf(q);
  for (const double share : column(same, "duplicate_score"))
    EXPECT_NEAR(share, (1 / 2.0 + 2 / 3.0 + 3 / 4.0) / 4, 1e-6);
  for (const double share : column(same, "previous_score")) EXPECT_NEAR(share, (1 / 2.0 + 1 / 3.0 + 1 / 4.0) / 4, 1e-6);
  q.options = {{"leave_out", std::string("self")}};
  for (const double share : column(answerOf(q), "duplicate_score")) EXPECT_NEAR(share, 1, 1e-6);
  q.options = {};
  q.content.source = ContentSource::random;
  for (const double share : column(answerOf(q), "duplicate_score")) EXPECT_EQ(share, 0);
  q.content.token_order = TokenOrder::repeated;
  q.content.repeat_after = 2;
  for (const double share : column(answerOf(q), "induction_score")) EXPECT_GT(share, 0);
  q.mask.causal = false;
  const Dataset both_sides = answerOf(q);
  EXPECT_TRUE(std::ranges::none_of(both_sides.curves, [](const Curve& c) { return c.key == "induction_score"; }));
}

TEST(Heads, haveADistanceOnTheGridOfTheSizesOrTheScheme) {
  const auto hasDistance = [](const Dataset& dataset) {
    return std::ranges::any_of(dataset.curves, [](const Curve& c) { return c.key == "grid_distance"; });
  };
  Question q = question("heads", "none", 6);
  q.content.source = ContentSource::ones;
  q.mask.causal = false;
  EXPECT_FALSE(hasDistance(answerOf(q)));
  q.shape.grid_height = 2;
  q.shape.grid_width = 3;
  double sum = 0;  // evenly over all pairs of a 2 × 3 grid
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) sum += std::hypot(i / 3 - j / 3, i % 3 - j % 3);
  const Dataset even = answerOf(q);
  EXPECT_NEAR(column(even, "grid_distance")[0], sum / 36, 1e-6);
  EXPECT_EQ(even.curves.back().key, "grid_distance") << "the rows before keep their places";
  q.options = {{"patch", 16.0}};
  EXPECT_NEAR(column(answerOf(q), "grid_distance")[0], 16 * sum / 36, 1e-5);
  q.options = {{"tokens", 3.0}};
  EXPECT_NEAR(column(answerOf(q), "grid_distance")[0], 8.0 / 9, 1e-6) << "the first row of the same grid";
  q.shape.seq_len_q = 2;
  EXPECT_FALSE(hasDistance(answerOf(q))) << "not every patch asks";
  EXPECT_TRUE(hasDistance(answerOf(question("heads", "rope_2d", 12))));
}

TEST(Heads, ofAllLayersStandLayerByLayer) {
  Question q = question("heads", "layer_pattern");
  q.shape.num_layers = 8;
  q.options = {{"layers", std::string("all")}};
  const Dataset all = answerOf(q);
  EXPECT_EQ(metric(all, "layers"), 8);
  EXPECT_EQ(numbers(all).shape[1], 32);
  q.options = {};
  for (std::int64_t layer = 0; layer < 8; ++layer) {
    q.shape.layer = layer;
    const Dataset one = answerOf(q);
    for (const char* key : {"kind", "entropy_mean", "mean_distance", "induction_score"})
      for (std::size_t head = 0; head < 4; ++head) {
        const std::size_t at = static_cast<std::size_t>(layer) * 4 + head;
        EXPECT_EQ(column(all, key)[at], column(one, key)[head]) << key << layer << head;
        EXPECT_EQ(column(all, "layer")[at], static_cast<double>(layer));
      }
  }
  EXPECT_EQ(all.properties.at(13).question.en, "layer 3 · head 1");
  q.options = {{"layers", std::string("all")}, {"maps", true}};
  const auto refused = find(q.measure)->compute(q, Job{});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::not_supported);
}

TEST(Heads, aWindowOfTheSchemeCountsAsMask) {
  Question q = question("heads", "layer_pattern", 60);
  q.scheme.values = {{"limit", std::string("window")}, {"window", 4.0}};
  const auto uniform = column(answerOf(q), "mean_distance_uniform");
  EXPECT_LT(uniform[0], 5) << "of 60 keys most are left out by the layer itself";
}

TEST(HeadKinds, countTheRowsOfTheTable) {
  for (const char* scheme : {"alibi", "rope", "sinusoidal"}) {
    Question q = question("heads", scheme);
    const auto kinds = column(answerOf(q), "kind");
    q.measure = "head_kinds";
    const Dataset counts = answerOf(q);
    ASSERT_EQ(counts.properties.size(), 6U);
    for (std::size_t k = 0; k < 6; ++k)
      EXPECT_EQ(counts.properties[k].value, std::ranges::count(kinds, static_cast<double>(k))) << scheme << k;
  }
  Question q = question("head_kinds", "alibi", 4);
  const Dataset four = answerOf(q);
  EXPECT_EQ(four.properties[0].value, 4);
  EXPECT_EQ(four.properties[0].sentence.en, "4 of 4 heads: 0, 1, 2, 3.");
}

TEST(HeadKinds, ofAllLayersCountAllRowsOfTheTable) {
  Question q = question("heads", "layer_pattern");
  q.shape.num_layers = 8;
  q.options = {{"layers", std::string("all")}};
  const auto kinds = column(answerOf(q), "kind");
  q.measure = "head_kinds";
  const Dataset counts = answerOf(q);
  double sum = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(counts.properties[k].value, std::ranges::count(kinds, static_cast<double>(k))) << k;
    sum += counts.properties[k].value;
  }
  EXPECT_EQ(sum, 32);
  EXPECT_EQ(metric(counts, "layers"), 8);
  q.shape.seq_len = 4;
  q.shape.num_layers = 2;
  EXPECT_EQ(answerOf(q).properties[0].sentence.en, "8 of 8 heads: layer 0: 0, 1, 2, 3; layer 1: 0, 1, 2, 3.");
}

TEST(Heads, aDraftLooksAtTheStartAndSaysSo) {
  Question q = question("heads", "alibi", 2048);
  q.shape.num_heads = 1;
  q.draft = true;
  const Dataset draft = answerOf(q);
  EXPECT_TRUE(draft.draft);
  EXPECT_NE(draft.scope.en.find("first 512"), std::string::npos) << draft.scope.en;
  EXPECT_LT(metric(draft, "rows"), 2048);
}

TEST(AttentionByOffset, isTheMeanThatTheWeightsGive) {
  Question q = question("attention_by_offset", "rope", 40);
  const Dataset by = answerOf(q);
  q.measure = "attention_weights";
  const Dataset weights = answerOf(q);
  ASSERT_EQ(by.curves.size(), 12U);  // mean, low and high of four heads
  EXPECT_EQ(by.curves[0].x, weights.curves[0].x);
  for (std::size_t n = 0; n < 40; ++n) {
    EXPECT_NEAR(by.curves[0].y[n], weights.curves[0].y[n], 1e-6);
    EXPECT_LE(by.curves[1].y[n], by.curves[2].y[n]);
  }
  EXPECT_EQ(by.curves[1].role, CurveRole::band_low);
}

TEST(AttentionByOffset, theBandHoldsTheMiddleOfTheQueries) {
  Question q = question("attention_by_offset", "none", 11);
  q.content.source = ContentSource::ones;  // query i looks at i + 1 keys evenly
  const Dataset by = answerOf(q);
  // At n = 0 the weights are 1, 1/2 … 1/11: one in ten below and above.
  EXPECT_NEAR(by.curves[1].y[0], 1 / 10.0, 1e-7);
  EXPECT_NEAR(by.curves[2].y[0], 1 / 2.0, 1e-7);
  EXPECT_NEAR(by.curves[1].y[9], 1 / 11.0 + 0.1 * (1 / 10.0 - 1 / 11.0), 1e-7);  // of two, in proportion
}

TEST(AttentionByOffset, holdsOnlyOffsetsThatTheMaskAllows) {
  Question q = question("attention_by_offset", "none", 30);
  q.mask.window = 5;
  EXPECT_EQ(answerOf(q).curves[0].x, (std::vector<double>{0, 1, 2, 3, 4, 5}));
  q.mask.causal = false;
  EXPECT_EQ(answerOf(q).curves[0].x.front(), -5);
  q.mask.key_padding.assign(30, 0);
  EXPECT_FALSE(answerOf(q).nothing.zh.empty());
}

TEST(AttentionByOffset, isAGapWhereNoPairIs) {
  Question q = question("attention_by_offset", "none", 30);
  q.mask.causal = false;
  q.mask.query_padding.assign(30, 0);
  q.mask.key_padding.assign(30, 0);
  q.mask.query_padding[20] = 1;
  q.mask.key_padding[15] = q.mask.key_padding[19] = 1;
  const Dataset by = answerOf(q);
  EXPECT_EQ(by.curves[0].x, (std::vector<double>{1, 2, 3, 4, 5}));
  for (const Curve& curve : by.curves)
    for (const std::size_t between : {1U, 2U, 3U}) EXPECT_TRUE(std::isnan(curve.y[between])) << curve.key;
  EXPECT_NEAR(by.curves[0].y[0] + by.curves[0].y[4], 1, 1e-6);
}

TEST(ShuffleTest, onlyPositionOrACausalMaskTellsTheOrder) {
  const Dataset none = answerOf(question("shuffle_test", "none"));
  EXPECT_LT(metric(none, "none"), 1e-5);
  EXPECT_GT(metric(none, "causal"), 0.05);
  for (const char* scheme : {"rope", "alibi", "sinusoidal", "cope", "t5_log"}) {
    Question q = question("shuffle_test", scheme);
    q.content.word_std = 1;
    const Dataset dataset = answerOf(q);
    EXPECT_GT(metric(dataset, "none"), 1e-3) << scheme;
    EXPECT_GT(metric(dataset, "causal"), 1e-3) << scheme;
  }
}

TEST(ShuffleTest, theNumberIsTheLargestOfTheHeads) {
  Question q = question("shuffle_test", "alibi");
  double largest = 0;
  for (int head = 0; head < 4; ++head) {
    q.options["head"] = static_cast<double>(head);
    const Dataset dataset = answerOf(q);
    ASSERT_EQ(dataset.maps.size(), 2U);
    largest = std::max(largest, static_cast<double>(dataset.maps[0].field->limits().maximum));
    EXPECT_EQ(metric(dataset, "none"), metric(answerOf(question("shuffle_test", "alibi")), "none"));
  }
  EXPECT_EQ(metric(answerOf(q), "none"), largest);
}

TEST(ShuffleTest, twoTokensChangePlacesOrNot) {
  Question q = question("shuffle_test", "none", 2);
  q.content.source = ContentSource::ones;  // under a causal mask A = (1, 0; ½, ½) before and after
  int changed = 0;
  for (int order = 0; order < 12; ++order) {
    q.options["shuffle"] = static_cast<double>(order);
    const Dataset dataset = answerOf(q);
    EXPECT_EQ(metric(dataset, "none"), 0);
    const double causal = metric(dataset, "causal");
    EXPECT_TRUE(causal == 0 || causal == 0.5) << causal;
    changed += causal > 0;
    if (causal == 0) continue;
    const std::vector<float> apart{0.5F, 0.5F, 0.5F, 0.5F};  // from P·A·Pᵀ = (½, ½; 0, 1)
    EXPECT_EQ(std::vector<float>(dataset.maps[1].field->stored(), dataset.maps[1].field->stored() + 4), apart);
  }
  EXPECT_GT(changed, 0);
  EXPECT_LT(changed, 12);
}

TEST(ShuffleTest, cachedQueriesKeepTheirPlaceAtTheEnd) {
  Question q = question("shuffle_test", "none");
  q.shape.seq_len_q = 7;
  const Dataset dataset = answerOf(q);
  EXPECT_EQ(dataset.maps[0].field->rows(), 7);
  EXPECT_LT(metric(dataset, "none"), 1e-5);
  EXPECT_GT(metric(dataset, "causal"), 1e-3);
  q.scheme.id = "sinusoidal";
  q.content.word_std = 1;
  EXPECT_GT(metric(answerOf(q), "none"), 1e-3);
}

}  // namespace
}  // namespace posiscope::measures

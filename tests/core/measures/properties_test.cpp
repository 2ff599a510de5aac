// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/list.h"
#include "core/schemes/list.h"
#include "tests/support/card_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace posiscope {
namespace {

using enum Property::Answer;
using test::property;

Question question(const std::string& scheme, ParamValues values = {}) {
  Question q;
  q.measure = "properties";
  q.scheme.id = scheme;
  q.scheme.values = std::move(values);
  q.shape.seq_len = 48;
  q.shape.d_model = 24;
  q.shape.num_heads = 3;
  q.shape.head_dim = 8;
  q.train_length = 64;
  return q;
}

Property::Answer answer(const std::string& scheme, const std::string& key, ParamValues values = {}) {
  return property(question(scheme, std::move(values)), key).answer;
}

double value(const std::string& scheme, const std::string& key, ParamValues values = {}) {
  return property(question(scheme, std::move(values)), key).value;
}

ParamValues own(const char* kind, const char* formula) {
  return {{"kind", std::string(kind)}, {"formula", std::string(formula)}};
}

TEST(Properties, onlyTheOffsetCountsForRelativeSchemes) {
  for (const char* id : {"none", "rope", "xpos", "alibi", "t5_log", "kerple", "shaw"})
    EXPECT_EQ(answer(id, "offset_only"), yes) << id;
  for (const char* id : {"sinusoidal", "learned", "layerwise", "tupe"}) EXPECT_EQ(answer(id, "offset_only"), no) << id;
  for (const char* id : {"cope", "forget_gate", "path", "conditional"})
    EXPECT_EQ(answer(id, "offset_only"), neither) << id;
  EXPECT_EQ(property(question("rope_2d"), "offset_only").word.en, "yes, on the grid");
}

TEST(Properties, aFormulaOfThePositionIsFoundOut) {
  EXPECT_EQ(answer("own", "offset_only", own("bias", "-abs(offset)")), yes);
  EXPECT_EQ(answer("own", "offset_only", own("table", "pos*0.01")), no);
  // The same at every position: nothing depends on it.
  EXPECT_EQ(answer("own", "offset_only", own("table", "0.5+i*0.01")), yes);
  EXPECT_EQ(answer("own", "symmetric", own("bias", "-abs(offset)")), yes);
  EXPECT_EQ(answer("own", "symmetric", own("bias", "-offset")), no);
  EXPECT_EQ(answer("own", "bounded", own("bias", "-abs(offset)")), no);
  EXPECT_EQ(answer("own", "bounded", own("bias", "-1/(1+abs(offset))")), yes);
  EXPECT_EQ(answer("own", "monotone_decay", own("bias", "-abs(offset)")), yes);
  // Falls to offset 5, then rises.
  EXPECT_EQ(answer("own", "monotone_decay", own("bias", "abs(abs(offset)-5)")), no);
  EXPECT_EQ(value("own", "first_rise", own("bias", "abs(abs(offset)-5)")), 5);
  EXPECT_EQ(answer("own", "keeps_norms", own("frequency", "0.5^pair")), yes);
}

TEST(Properties, aTinyDependenceOnPositionIsNotRounding) {
  EXPECT_EQ(answer("own", "symmetric", own("bias", "-abs(offset)+1e-6*offset")), no);
  Question single = question("own", own("bias", "-abs(offset)+1e-9*offset"));
  single.options["precision"] = std::string("single");
  EXPECT_EQ(property(single, "symmetric").answer, yes) << "below what single precision can tell";
}

TEST(Properties, directionAndNorms) {
  for (const char* id : {"none", "sinusoidal", "learned", "rope", "alibi", "kerple"})
    EXPECT_EQ(answer(id, "symmetric"), yes) << id;
  for (const char* id : {"xpos", "t5_log", "cope", "path"}) EXPECT_EQ(answer(id, "symmetric"), no) << id;
  EXPECT_EQ(answer("rope", "keeps_norms"), yes);
  EXPECT_EQ(answer("rope", "keeps_norms", {{"scaling", std::string("yarn")}, {"factor", 4.0}}), no)
      << "the attention factor stretches queries and keys";
  EXPECT_EQ(answer("xpos", "keeps_norms"), no);
  EXPECT_EQ(answer("sinusoidal", "keeps_norms"), no);
  EXPECT_EQ(property(question("alibi"), "keeps_norms").word.en, "yes, not touched");
  // Inside a score the number is what its product reaches of the largest that vectors of these lengths have.
  const Property inside = property(question("rerope"), "keeps_norms");
  EXPECT_EQ(inside.answer, neither);
  EXPECT_EQ(inside.word.en, "not exceeded");
  EXPECT_GT(inside.value, 0.2);
  EXPECT_LE(inside.value, inside.tolerance);
  EXPECT_NEAR(inside.tolerance, 1, 1e-4);
  const Property longer = property(question("shaw"), "keeps_norms");
  EXPECT_EQ(longer.answer, no) << longer.sentence.en;
  EXPECT_GT(longer.value, longer.tolerance);
}

TEST(Properties, boundedAndDecaying) {
  for (const char* id : {"none", "rope", "sinusoidal", "learned", "t5_log", "rerope", "cope"})
    EXPECT_EQ(answer(id, "bounded"), yes) << id << " " << value(id, "bounded");
  for (const char* id : {"alibi", "kerple", "forget_gate"}) EXPECT_EQ(answer(id, "bounded"), no) << id;
  EXPECT_NEAR(value("alibi", "bounded"), 1, 0.02);
  for (const char* id : {"alibi", "kerple"}) EXPECT_EQ(answer(id, "monotone_decay"), yes) << id;
  EXPECT_EQ(answer("none", "monotone_decay"), neither);
  EXPECT_EQ(answer("rope", "monotone_decay"), no);
}

Question longQuestion(const std::string& scheme, std::int64_t length, ParamValues values = {}) {
  Question q = question(scheme, std::move(values));
  q.shape.seq_len = length;
  return q;
}

TEST(Properties, whatActsOnlyFarOutIsSeenAtTheQuestionsOwnLength) {
  const ParamValues grouped{{"window", 1024.0}, {"group", 8.0}};
  EXPECT_EQ(property(longQuestion("self_extend", 8192, grouped), "offset_only").answer, no)
      << "m(1030, 0) = 1024, m(1037, 7) = 1025";
  EXPECT_EQ(property(longQuestion("self_extend", 512, grouped), "offset_only").answer, yes) << "as plain RoPE";
  const ParamValues chunks{{"chunk_size", 768.0}, {"local_size", 64.0}};
  EXPECT_EQ(property(longQuestion("dual_chunk", 8192, chunks), "offset_only").answer, no);
  EXPECT_EQ(property(longQuestion("rope", 8192), "offset_only").word.en, "yes");
  const Question dynamic = longQuestion("rope", 8192, {{"scaling", std::string("dynamic")}, {"max_length", 2048.0}});
  EXPECT_EQ(property(dynamic, "offset_only").word.en, "yes, at one length") << "the base depends on the length";
}

TEST(Properties, aQueryFactorIsSeenWhereItLeavesOne) {
  for (const char* key : {"offset_only", "keeps_norms", "symmetric"}) {
    EXPECT_EQ(property(longQuestion("query_scale", 32768), key).answer, no) << key;
    EXPECT_EQ(property(longQuestion("query_scale", 4096), key).answer, yes) << key;
  }
  EXPECT_EQ(answer("query_scale", "bounded"), no) << "a logarithm, from 8191 on";
  const Text scope = test::answerOf(longQuestion("query_scale", 32768)).scope;
  EXPECT_EQ(scope.en, "measured on 64, 512, 32768 tokens");
  EXPECT_NE(scope.zh.find("64、512、32768 个词元"), std::string::npos) << scope.zh;
}

TEST(Properties, whatStopsGrowingIsBounded) {
  EXPECT_EQ(answer("fire", "bounded"), yes);
  EXPECT_EQ(answer("pope", "bounded"), yes);
  for (const char* formula : {"tanh(offset/1000)", "-min(abs(offset),300)", "-1/(1+abs(offset))"})
    EXPECT_EQ(answer("own", "bounded", own("bias", formula)), yes) << formula;
  const Property table = property(question("learned", {{"max_positions", 100.0}}), "bounded");
  EXPECT_EQ(table.answer, yes);
  EXPECT_EQ(table.word.en, "yes, the table ends");
}

TEST(Properties, whatGrowsSlowlyIsNotBounded) {
  EXPECT_EQ(answer("kerple", "bounded", {{"r1", std::vector<double>{1}}, {"r2", std::vector<double>{20}}}), no);
  for (const char* formula : {"-log(1+20*abs(offset))", "-abs(offset)^0.1", "-abs(offset)"})
    EXPECT_EQ(answer("own", "bounded", own("bias", formula)), no) << formula;
  EXPECT_NEAR(value("own", "bounded", own("bias", "-abs(offset)^0.1")), 0.1, 0.02);
  // A logarithm of a logarithm goes on, n^−0.1 does not; at lengths that can be asked they look the same.
  const Property slow = property(question("own", own("bias", "(1+abs(offset))^(-0.1)")), "bounded");
  EXPECT_EQ(slow.answer, neither);
  EXPECT_EQ(slow.word.en, "undecided");
}

TEST(Properties, whatExplodesIsNotBounded) {
  const Property p = property(question("own", own("bias", "-exp(abs(offset)/10)")), "bounded");
  EXPECT_EQ(p.answer, no) << p.sentence.en;
  EXPECT_NE(p.sentence.en.find("it grows faster than n^10"), std::string::npos) << p.sentence.en;
}

TEST(Properties, aChangeOfTwoPercentIsNone) {
  const Property p = property(question("layerwise", {{"seed", 1.0}}), "bounded");
  EXPECT_EQ(p.answer, yes) << p.sentence.en;
  // A step of a hundredth at each of the last two lengths, growing like a line; then one of a tenth.
  EXPECT_EQ(answer("own", "bounded", own("bias", "-min(1000*abs(offset),1000)-abs(offset)*0.00015")), yes);
  EXPECT_EQ(answer("own", "bounded", own("bias", "-min(1000*abs(offset),1000)-abs(offset)*0.15")), no);
}

TEST(Properties, xposIsBoundedForEarlierKeysOnly) {
  for (const char* precision : {"double", "single"}) {
    Question q = question("xpos");
    q.options["precision"] = std::string(precision);
    const Property p = property(q, "bounded");
    EXPECT_EQ(p.answer, yes);
    EXPECT_EQ(p.word.en, "yes, for earlier keys");
    EXPECT_NE(p.sentence.en.find("toward later keys"), std::string::npos) << p.sentence.en;
  }
  EXPECT_EQ(property(question("rope"), "bounded").word.en, "yes") << "both sides are alike";
}

TEST(Properties, whatActsFarOutIsLookedForThereByAllQuestions) {
  EXPECT_EQ(answer("fire", "offset_only"), no);
  const Property mirrored = property(question("fire"), "symmetric");
  EXPECT_EQ(mirrored.answer, no) << "queries past the threshold are measured by their own position";
  EXPECT_NE(mirrored.sentence.en.find("s = 1000"), std::string::npos) << mirrored.sentence.en;
  Question q = question("query_scale");
  q.scheme.values["floor_scale"] = 1032.0;  // a step between 1000 and 1063
  for (const char* key : {"offset_only", "symmetric", "keeps_norms"}) EXPECT_EQ(property(q, key).answer, no) << key;
}

TEST(Properties, noiseDoesNotDecide) {
  for (const char* id : {"transformer_xl", "deberta", "grid_bias"})
    for (const double seed : {1.0, 2.0, 3.0})
      EXPECT_NE(answer(id, "bounded", {{"seed", seed}}), no) << id << " " << seed;
}

TEST(Properties, theLongestGridIsFoundThoughMostNumbersMakeNone) {
  const Property grid = property(question("learned_2d", {{"max_side", 50.0}}), "beyond_training");
  EXPECT_EQ(grid.value, 2500);
  EXPECT_NE(grid.sentence.en.find("50 × 50"), std::string::npos) << grid.sentence.en;
  EXPECT_EQ(property(question("learned_2d", {{"max_side", 8.0}}), "beyond_training").answer, no);
  EXPECT_EQ(value("sinusoidal_2d", "beyond_training"), 1 << 15) << "no table, no end";
}

TEST(Properties, theEndOfALargeTableIsSeenFromASmallGrid) {
  for (const std::int64_t side : {1, 2, 3, 8})
    for (const double rows : {50.0, 128.0}) {
      Question q = longQuestion("learned_2d", side * side, {{"max_side", rows}});
      q.train_length = 0;
      const Property grid = property(q, "beyond_training");
      EXPECT_EQ(grid.answer, yes) << side;
      EXPECT_EQ(grid.value, rows * rows) << side;
      EXPECT_NE(grid.sentence.en.find(join("table has ", rows, " rows")), std::string::npos) << grid.sentence.en;
    }
}

TEST(Properties, fireIsOfTheOffsetUpToItsThreshold) {
  Question q = longQuestion("fire", 2048);
  q.scheme.values["threshold_length"] = 1e6;
  const Property below = property(q, "offset_only");
  EXPECT_EQ(below.answer, yes) << below.sentence.en;
  EXPECT_EQ(below.value, 0);
  q.scheme.values["threshold_length"] = 1100.0;  // the shifts of 64 tokens end before it, the last queries do not
  const Property beyond = property(q, "offset_only");
  EXPECT_EQ(beyond.answer, no) << beyond.sentence.en;
  EXPECT_GT(beyond.value, 0.01);
  EXPECT_LT(beyond.tolerance, 1e-8);
}

TEST(Properties, aTableThatIsDrawnForTheLengthEndsWithTheTrainingLength) {
  const ParamValues drawn{{"table_kind", std::string("learned")}};
  for (const char* id : {"hybrid", "fusion", "layerwise"}) {
    const Property ends = property(question(id, drawn), "beyond_training");
    EXPECT_EQ(ends.answer, no) << id;
    EXPECT_EQ(ends.value, 64) << id;
    EXPECT_NE(ends.sentence.en.find("trained table ends"), std::string::npos) << ends.sentence.en;
    EXPECT_EQ(answer(id, "beyond_training", {{"table_kind", std::string("sinusoidal")}}), yes) << id;
  }
  EXPECT_EQ(answer("grid_bias", "beyond_training"), no);
  EXPECT_EQ(answer("grid_bias", "beyond_training", {{"source_height", 8.0}, {"source_width", 8.0}}), yes) << "resized";
  EXPECT_EQ(answer("swin_v2", "beyond_training"), yes) << "a network of the offset";
}

TEST(Properties, theFirstRiseIsThatOfTheDecayCurve) {
  for (const char* id : {"rope", "sinusoidal"}) {
    Question decay = question(id);
    decay.measure = "relative_decay";
    decay.shape.seq_len = 512;
    const Expected<Dataset> curve = measures::find("relative_decay")->compute(decay, Job{});
    ASSERT_TRUE(curve);
    const auto rise = std::ranges::find(curve->metrics, "first_rise", &Metric::key);
    ASSERT_NE(rise, curve->metrics.end()) << id;
    Question card = question(id);
    EXPECT_EQ(property(card, "first_rise").value, rise->value) << id;
  }
}

TEST(Properties, aTableEndsAndSaysWhere) {
  const Property ends = property(question("learned", {{"max_positions", 100.0}}), "beyond_training");
  EXPECT_EQ(ends.answer, yes);
  EXPECT_EQ(ends.value, 100);
  EXPECT_NE(ends.sentence.en.find("past the table"), std::string::npos) << ends.sentence.en;
  EXPECT_EQ(answer("learned", "beyond_training", {{"max_positions", 64.0}}), no);
  EXPECT_EQ(answer("rope", "beyond_training"), yes);
  EXPECT_NE(property(question("rope"), "beyond_training").sentence.en.find("never seen"), std::string::npos);
}

TEST(Properties, aFormulaEndsWhereItHasNoFiniteValue) {
  const Property pole = property(question("own", own("table", "1/(pos-100)")), "beyond_training");
  EXPECT_EQ(pole.answer, yes);
  EXPECT_EQ(pole.value, 100) << "positions 0 to 99";
  EXPECT_NE(pole.sentence.en.find("pos = 100"), std::string::npos) << pole.sentence.en;
  EXPECT_EQ(answer("own", "beyond_training", own("table", "exp(pos*4)")), no) << "larger than any float at 23";
  EXPECT_EQ(value("own", "beyond_training", own("bias", "1/(offset+200)")), 200) << "keys ahead count too";
  EXPECT_EQ(value("own", "beyond_training", own("table", "sin(pos)")), 1 << 15);
}

TEST(Properties, countsAreThoseOfTheTable) {
  for (const std::int64_t length : {64, 512})
    EXPECT_EQ(property(longQuestion("embedding_sum", length), "parameters").value, (1024 + 2 + 2) * 24) << length;
  for (const char* factor : {"start", "trained"})
    EXPECT_EQ(value("scaled_sinusoidal", "parameters", {{"factor", std::string(factor)}}), 1) << factor;
  // One pair: three queries turn, and the one key that they share.
  EXPECT_EQ(value("rope_decoupled", "token_operations", {{"rotary_dim", 2.0}}), 4 * 1 * (3 + 1));
}

TEST(Properties, costs) {
  EXPECT_EQ(value("none", "parameters"), 0);
  EXPECT_EQ(value("rope", "parameters"), 0);
  EXPECT_EQ(value("learned", "parameters", {{"max_positions", 100.0}}), 100 * 24);
  EXPECT_EQ(value("t5_log", "parameters"), 32 * 3);
  EXPECT_EQ(value("sinusoidal", "token_operations"), 24);
  EXPECT_EQ(value("rope", "token_operations"), 4 * 4 * (3 + 3));  // four products for each of 4 pairs of q and k
  EXPECT_EQ(value("rope", "pair_operations"), 0);
  EXPECT_EQ(value("alibi", "pair_operations"), 3);
}

class EveryCard : public testing::TestWithParam<const Scheme*> {};

TEST_P(EveryCard, hasAllLinesInBothPrecisions) {
  const std::vector<std::string> keys{"offset_only",      "symmetric",      "keeps_norms",     "bounded",
                                      "monotone_decay",   "first_rise",     "beyond_training", "parameters",
                                      "token_operations", "pair_operations"};
  std::vector<std::vector<Property::Answer>> answers;
  for (const char* precision : {"double", "single"}) {
    Question q = question(GetParam()->id());
    q.options["precision"] = std::string(precision);
    const Dataset card = test::answerOf(q);
    ASSERT_EQ(card.properties.size(), keys.size());
    std::vector<Property::Answer>& found = answers.emplace_back();
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const Property& p = card.properties[k];
      EXPECT_EQ(p.key, keys[k]);
      for (const Text& text : {p.question, p.word, p.sentence}) {
        EXPECT_FALSE(text.en.empty()) << p.key;
        EXPECT_FALSE(text.zh.empty()) << p.key;
      }
      EXPECT_TRUE(std::isfinite(p.value) || p.answer == neither) << p.key;
      EXPECT_FALSE(p.key == "keeps_norms" && (std::isnan(p.value) || std::isnan(p.tolerance)))
          << "no answer without a number";
      if (!std::isnan(p.tolerance) && p.answer != neither) {
        EXPECT_EQ(p.answer == yes, p.value <= p.tolerance) << p.key << " " << p.value;
      }
      found.push_back(p.answer);
    }
  }
  for (std::size_t k = 0; k < keys.size(); ++k) EXPECT_EQ(answers[0][k], answers[1][k]) << keys[k];
}

TEST_P(EveryCard, theSchemeSaysTheSameOfTheOffset) {
  const Property measured = property(question(GetParam()->id()), "offset_only");
  const Question q = question(GetParam()->id());
  // As far as the probe moves the positions: FIRE depends on them beyond its threshold only. Where that is past the
  // end of a table, the positions asked for.
  Shape moved = q.shape;
  moved.first_position = 1000;
  Expected<Encoding<double>> encoding = GetParam()->encode_double({}, moved);
  if (!encoding) encoding = GetParam()->encode_double({}, q.shape);
  ASSERT_TRUE(encoding);
  if (measured.answer == no) {
    EXPECT_FALSE(encoding->offset_only) << measured.sentence.en;
  }
}

TEST_P(EveryCard, whatIsDrawnFromASeedIsLearned) {
  // Sines with random directions and mixing coefficients are drawn once and stay as they are.
  const std::vector<std::string> fixed{"fourier", "fope", "fusion", "position_ids"};
  const bool stays = std::ranges::find(fixed, GetParam()->id()) != fixed.end();
  if (GetParam()->id() == "scaled_sinusoidal") return;  // its one number starts at a fixed value
  const bool drawn = !stays && findParam(GetParam()->params, "seed") != nullptr;
  const double learned = property(question(GetParam()->id()), "parameters").value;
  EXPECT_EQ(learned > 0, drawn) << learned;
}

TEST_P(EveryCard, aScoreOfItsOwnHasACost) {
  const Question q = question(GetParam()->id());
  const Expected<Encoding<float>> encoding = GetParam()->encode({}, q.shape);
  ASSERT_TRUE(encoding);
  const SchemeCost cost = GetParam()->cost({}, q.shape);
  if (encoding->logits.score.prepare || encoding->input.transform) {
    EXPECT_GT(cost.per_token + cost.per_pair, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryCard, testing::ValuesIn([] {
                           std::vector<const Scheme*> all;
                           for (const Scheme& scheme : schemes::catalogue()) all.push_back(&scheme);
                           return all;
                         }()),
                         [](const auto& instance) { return instance.param->id(); });

}  // namespace
}  // namespace posiscope

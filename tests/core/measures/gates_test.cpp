// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/list.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

constexpr std::int64_t tokens = 40;

Question question(const char* measure, const std::string& scheme, ParamValues values = {}) {
  Question q;
  q.measure = measure;
  q.scheme = {scheme, std::move(values), {}, 0, true};
  q.shape.seq_len = tokens;
  q.shape.d_model = 24;
  q.shape.num_heads = 3;
  q.shape.head_dim = 8;
  q.mask.causal = true;
  q.options["head"] = 1.0;
  return q;
}

Dataset answerOf(const Question& q) {
  Expected<Dataset> dataset = find(q.measure)->compute(q, Job{});
  EXPECT_TRUE(dataset) << q.scheme.id << ": " << (dataset ? "" : dataset.error().message.en);
  return dataset ? std::move(*dataset) : Dataset{};
}

const Field& fieldOf(const Dataset& dataset, const std::string& key) {
  return *std::ranges::find(dataset.maps, key, &Map::key)->field;
}

double metric(const Dataset& dataset, const std::string& key) {
  const auto found = std::ranges::find(dataset.metrics, key, &Metric::key);
  return found == dataset.metrics.end() ? std::nan("") : found->value;
}

TEST(Gates, ofCopeAddUpToItsPositions) {
  const Dataset dataset = answerOf(question("gates", "cope"));
  ASSERT_EQ(dataset.maps.size(), 3U);
  const Field& gate = fieldOf(dataset, "gate");
  const Field& position = fieldOf(dataset, "position");
  for (std::int64_t i = 0; i < tokens; ++i) {
    double sum = 0;
    for (std::int64_t j = tokens; j-- > 0;) {
      sum += gate.at(i, j);
      if (j > i) {
        EXPECT_EQ(gate.at(i, j), 0.0F) << "the future is not counted";
        EXPECT_EQ(position.at(i, j), 0.0F);
        continue;
      }
      EXPECT_GT(gate.at(i, j), 0.0F);
      EXPECT_LT(gate.at(i, j), 1.0F);
      EXPECT_NEAR(position.at(i, j), std::min(sum, 63.0), 1e-4) << i << ", " << j;
    }
  }
}

TEST(Gates, lastStageOfCopeIsItsTermOfTheLogits) {
  const Dataset stages = answerOf(question("gates", "cope"));
  const Dataset terms = answerOf(question("score_terms", "cope"));
  for (std::int64_t i = 0; i < tokens; ++i)
    for (std::int64_t j = 0; j <= i; ++j)
      EXPECT_EQ(fieldOf(stages, "logit").at(i, j), fieldOf(terms, "term 1").at(i, j)) << i << ", " << j;
}

TEST(Gates, sayHowManyPairsReachTheLastPosition) {
  const Dataset few = answerOf(question("gates", "cope", {{"npos", 4.0}}));
  EXPECT_GT(metric(few, "at_ceiling"), 50);
  ASSERT_EQ(few.remarks.size(), 1U);
  EXPECT_EQ(few.remarks.front().verdict, Verdict::warning);
  const Dataset many = answerOf(question("gates", "cope", {{"npos", 400.0}}));
  EXPECT_EQ(metric(many, "at_ceiling"), 0);
  EXPECT_TRUE(many.remarks.empty());
}

void expectForgetting(const Dataset& dataset, bool key_counts) {
  const Field& gate = fieldOf(dataset, "gate");
  const Field& bias = fieldOf(dataset, "bias");
  const Field& kept = fieldOf(dataset, "kept");
  for (std::int64_t i = 0; i < tokens; ++i)
    for (std::int64_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::int64_t t = j; t <= i; ++t)
        if (t != (key_counts ? i : j)) sum += std::log(static_cast<double>(gate.at(i, t)));
      ASSERT_NEAR(bias.at(i, j), sum, 1e-4) << i << ", " << j;
      ASSERT_NEAR(kept.at(i, j), std::exp(sum), 1e-4) << i << ", " << j;
    }
}

TEST(Gates, ofTheForgettingTransformerMultiplyToWhatIsKept) {
  expectForgetting(answerOf(question("gates", "forget_gate", {{"gate_bias", 1.0}})), false);
  expectForgetting(answerOf(question("gates", "forget_gate", {{"mode", std::string("per_row")}})), true);
}

TEST(Gates, lookBothWaysWhereTheFormDoes) {
  Question q = question("gates", "forget_gate", {{"mode", std::string("bidirectional")}, {"gate_bias", 1.0}});
  q.mask = {};
  const Dataset dataset = answerOf(q);
  const Field& gate = fieldOf(dataset, "gate");
  const Field& bias = fieldOf(dataset, "bias");
  EXPECT_NE(gate.at(5, 9), gate.at(20, 9)) << "toward the future a token has another gate than toward the past";
  EXPECT_NEAR(bias.at(5, 6), std::log(static_cast<double>(gate.at(5, 6))), 1e-5);
  EXPECT_NEAR(bias.at(5, 7) - bias.at(5, 6), std::log(static_cast<double>(gate.at(5, 7))), 1e-5);
}

TEST(Gates, aStartOfALongSequenceIsTheStartOfIt) {
  Question q = question("gates", "cope");
  q.options["tokens"] = 10.0;
  const Dataset start = answerOf(q);
  EXPECT_EQ(start.maps.front().field->rows(), 10);
  EXPECT_NE(start.scope.en.find("first 10 of 40"), std::string::npos) << start.scope.en;
}

TEST(Gates, othersHaveNone) {
  for (const char* scheme : {"rope", "alibi", "transformer_xl"})
    EXPECT_NE(answerOf(question("gates", scheme)).nothing.en.find("no gates"), std::string::npos) << scheme;
}

}  // namespace
}  // namespace posiscope::measures

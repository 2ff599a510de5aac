// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Attention and its logits taken apart into content and position.
#include "tests/support/answer_of.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace posiscope::measures {
namespace {

using test::answerOf;

Question question(const char* measure, const char* scheme, const char* part = nullptr) {
  Question q = test::questionOf(measure, scheme, {}, 30);
  q.mask.causal = true;
  q.content.word_std = 1;
  if (part) q.options["part"] = std::string(part);
  return q;
}

void expectSameMaps(const Dataset& found, const Dataset& wanted, float tolerance, const std::string& what) {
  ASSERT_EQ(found.maps.size(), wanted.maps.size()) << what << found.nothing.en;
  ASSERT_FALSE(found.maps.empty()) << what;
  for (std::size_t m = 0; m < found.maps.size(); ++m)
    for (std::int64_t i = 0; i < wanted.maps[m].field->rows(); ++i)
      for (std::int64_t j = 0; j < wanted.maps[m].field->cols(); ++j)
        ASSERT_NEAR(found.maps[m].field->at(i, j), wanted.maps[m].field->at(i, j), tolerance)
            << what << ' ' << m << ' ' << i << ' ' << j;
}

double metric(const Dataset& dataset, const std::string& key) {
  const auto found = std::ranges::find(dataset.metrics, key, &Metric::key);
  return found == dataset.metrics.end() ? std::nan("") : found->value;
}

TEST(AttentionParts, contentAloneIsThatOfNoPosition) {
  const Dataset plain = answerOf(question("attention_weights", "none"));
  for (const char* scheme : {"rope", "xpos", "alibi", "kerple", "shaw", "cope", "rerope", "leaky_rerope", "self_extend",
                             "dual_chunk", "query_scale"}) {
    const Dataset content = answerOf(question("attention_weights", scheme, "content"));
    expectSameMaps(content, plain, 1e-6F, scheme);
    ASSERT_FALSE(content.maps.empty()) << scheme;
    EXPECT_EQ(content.maps[1].term(20, 7), "softmaxⱼ(0.25 · q[20] · k[7])") << scheme;
  }
}

TEST(AttentionParts, contentAloneKeepsTheFactorOfTheScaling) {
  Question q = question("attention_weights", "rope", "content");
  q.scheme.values = {{"scaling", std::string("yarn")}, {"factor", 8.0}, {"original_length", 16.0}};
  q.options["quantity"] = std::string("logits");
  const Dataset content = answerOf(q);
  Question none = question("attention_weights", "none");
  none.options["quantity"] = std::string("logits");
  const double factor = 0.1 * std::log(8.0) + 1;
  EXPECT_NEAR(content.maps[0].field->at(9, 4),
              factor * factor * static_cast<double>(answerOf(none).maps[0].field->at(9, 4)), 1e-5);
}

TEST(AttentionParts, positionAloneIsThatOfEqualTokens) {
  for (const char* scheme : {"rope", "alibi", "t5_log", "self_extend"}) {
    Question ones = question("attention_weights", scheme);
    ones.content.source = ContentSource::ones;
    const Dataset position = answerOf(question("attention_weights", scheme, "position"));
    expectSameMaps(position, answerOf(ones), 0, scheme);
    EXPECT_NE(position.maps[0].term(20, 7).find(", q = k = 1"), std::string::npos);
  }
}

TEST(AttentionParts, positionAloneOfATableIsItsOwnProduct) {
  Question q = question("attention_weights", "sinusoidal", "position");
  q.options["quantity"] = std::string("logits");
  q.options["heads"] = std::vector{2.0};
  const Dataset position = answerOf(q);
  EXPECT_NE(position.maps[0].term(20, 7).find(", x = 0"), std::string::npos) << position.maps[0].term(20, 7);
  Question terms = question("score_terms", "sinusoidal");
  terms.options["head"] = 2.0;
  const Dataset four = answerOf(terms);
  ASSERT_EQ(four.maps.size(), 5U);
  for (std::int64_t i = 0; i < 30; ++i)
    for (std::int64_t j = 0; j <= i; ++j)
      ASSERT_NEAR(four.maps[3].field->at(i, j), position.maps[0].field->at(i, j), 1e-5);
  Question words = question("attention_weights", "sinusoidal", "content");
  words.options = q.options;
  words.options["part"] = std::string("content");
  const Dataset content = answerOf(words);
  for (std::int64_t i = 0; i < 30; ++i)
    for (std::int64_t j = 0; j <= i; ++j)
      ASSERT_NEAR(four.maps[0].field->at(i, j), content.maps[0].field->at(i, j), 1e-5);
}

TEST(AttentionParts, aScoreThatMixesBothSaysSo) {
  const Dataset mixed = answerOf(question("attention_weights", "fope", "content"));
  EXPECT_TRUE(mixed.maps.empty());
  EXPECT_FALSE(mixed.nothing.en.empty());
  EXPECT_FALSE(mixed.nothing.zh.empty());
  const Dataset terms = answerOf(question("score_terms", "fope"));
  EXPECT_EQ(terms.maps.size(), 2U);  // the score and the sum
  ASSERT_EQ(terms.remarks.size(), 1U) << "why it stays whole";
  EXPECT_NE(terms.remarks[0].sentence.en.find("no single angle"), std::string::npos) << terms.remarks[0].sentence.en;
  EXPECT_NE(terms.remarks[0].sentence.zh.find("单一角度"), std::string::npos);
}

TEST(AttentionParts, contentThatIsNoProductIsNotCalledOne) {
  for (const char* scheme : {"pope", "swin_v2"}) {
    Question q = question("attention_weights", scheme, "content");
    q.shape.seq_len = 25;
    const Dataset content = answerOf(q);
    ASSERT_FALSE(content.maps.empty()) << scheme << content.nothing.en;
    EXPECT_EQ(content.maps[1].term(20, 7), "softmaxⱼ(s(q[20], k[7]))") << scheme;
  }
}

TEST(ScoreTerms, rotationIsWhatIsLeftWithoutTheContent) {
  Question q = question("score_terms", "rope");
  q.mask.causal = false;
  const Dataset rope = answerOf(q);
  ASSERT_EQ(rope.maps.size(), 3U);
  q.scheme.id = "none";
  const Dataset none = answerOf(q);
  for (std::int64_t i = 0; i < 30; ++i) {
    for (std::int64_t j = 0; j < 30; ++j) ASSERT_NEAR(rope.maps[0].field->at(i, j), none.maps[0].field->at(i, j), 1e-5);
    EXPECT_NEAR(rope.maps[1].field->at(i, i), 0, 1e-5) << "nothing is turned against itself";
  }
  EXPECT_GT(metric(rope, "rms term 1"), 0.1);
}

TEST(ScoreTerms, whatPositionAddsIsNothingAtOnePosition) {
  for (const char* scheme : {"rerope", "leaky_rerope", "self_extend", "dual_chunk", "path", "pope"}) {
    Question q = question("score_terms", scheme);
    if (std::string(scheme) == "self_extend") q.scheme.values = {{"window", 4.0}, {"group", 3.0}};
    if (std::string(scheme) == "pope") q.scheme.values = {{"start", std::string("uniform")}};
    const Dataset terms = answerOf(q);
    ASSERT_EQ(terms.maps.size(), 3U) << scheme;
    for (std::int64_t i = 0; i < 30; ++i) EXPECT_NEAR(terms.maps[1].field->at(i, i), 0, 1e-5) << scheme << i;
    EXPECT_GT(metric(terms, "rms term 1"), 0.02) << scheme;
    // The score of two tokens does not change where both move on, and what content is stays what it was.
    q.shape.first_position = 7;
    const Dataset moved = answerOf(q);
    for (std::int64_t i = 0; i < 30; ++i)
      for (std::int64_t j = 0; j <= i; ++j)
        ASSERT_NEAR(moved.maps[0].field->at(i, j), terms.maps[0].field->at(i, j), 1e-6) << scheme;
  }
}

TEST(ScoreTerms, theFactorOfTheQueriesIsATermOfItsOwn) {
  Question q = question("score_terms", "query_scale");
  q.scheme.values = {{"kind", std::string("logn")}, {"train_length", 8.0}};
  const Dataset terms = answerOf(q);
  ASSERT_EQ(terms.maps.size(), 3U);
  q.scheme.values["rotate"] = true;
  const Dataset turned = answerOf(q);
  ASSERT_EQ(turned.maps.size(), 4U);
  for (std::int64_t i = 0; i < 30; ++i)
    for (std::int64_t j = 0; j <= i; ++j) {
      const double factor = std::max(1.0, std::log(i + 1.0) / std::log(8.0));
      const auto plain = static_cast<double>(terms.maps[0].field->at(i, j));
      EXPECT_NEAR(terms.maps[1].field->at(i, j), (factor - 1) * plain, 1e-5) << i << ' ' << j;
      EXPECT_NEAR(turned.maps[0].field->at(i, j), plain, 1e-5) << i << ' ' << j;
    }
  q.scheme = {};
  q.scheme.id = "rerope";
  q.scheme.values = {{"logn_length", 8.0}, {"window", 5.0}};
  const Dataset mapped = answerOf(q);
  ASSERT_EQ(mapped.maps.size(), 4U);
  EXPECT_NEAR(mapped.maps[0].field->at(29, 3), terms.maps[0].field->at(29, 3), 1e-5);
  EXPECT_GT(metric(mapped, "rms term 2"), 0.02);
}

/// Also of what changes the embeddings, and of scores that walk from token to token.
TEST(ScoreTerms, theFirstIsTheContentAlone) {
  for (const char* scheme : {"conditional", "embedding_sum", "rope", "rerope", "path", "pope", "query_scale"}) {
    Question q = question("score_terms", scheme);
    q.shape.seq_len = 36;
    const Dataset terms = answerOf(q);
    ASSERT_GE(terms.maps.size(), 3U) << scheme;
    q.measure = "attention_weights";
    q.options = {{"part", std::string("content")}, {"quantity", std::string("logits")}};
    const Dataset content = answerOf(q);
    for (std::int64_t i = 0; i < 36; ++i)
      for (std::int64_t j = 0; j <= i; ++j)
        ASSERT_NEAR(terms.maps[0].field->at(i, j), content.maps[0].field->at(i, j), 1e-5) << scheme << i << ' ' << j;
  }
}

TEST(ScoreTerms, sharesOfTheVarianceAddUpToOne) {
  for (const char* scheme : {"sinusoidal", "rope", "alibi", "transformer_xl", "deberta", "tupe", "learned"}) {
    const Dataset dataset = answerOf(question("score_terms", scheme));
    double sum = 0;
    for (std::size_t t = 0; t + 1 < dataset.maps.size(); ++t) sum += metric(dataset, join("share term ", t));
    EXPECT_NEAR(sum, 1, 1e-4) << scheme;
  }
  EXPECT_EQ(metric(answerOf(question("score_terms", "none")), "share term 0"), 1);
}

TEST(ScoreTerms, theBiasHasAllOfTheVarianceWhereTokensAreEqual) {
  Question q = question("score_terms", "alibi");
  q.content.source = ContentSource::ones;
  const Dataset dataset = answerOf(q);
  EXPECT_NEAR(metric(dataset, "share term 0"), 0, 1e-6);
  EXPECT_NEAR(metric(dataset, "share term 1"), 1, 1e-6);
  q.scheme.id = "none";
  EXPECT_TRUE(std::isnan(metric(answerOf(q), "share term 0"))) << "nothing varies";
}

TEST(ScoreTerms, cachedQueriesOfATableAreTheLastOnes) {
  Question q = question("score_terms", "sinusoidal");
  const Dataset all = answerOf(q);
  q.shape.seq_len_q = 4;
  const Dataset cached = answerOf(q);
  for (std::size_t t = 0; t < 4; ++t)
    for (std::int64_t i = 0; i < 4; ++i)
      for (std::int64_t j = 0; j <= 26 + i; ++j)
        ASSERT_NEAR(cached.maps[t].field->at(i, j), all.maps[t].field->at(26 + i, j), 1e-6) << t;
}

}  // namespace
}  // namespace posiscope::measures

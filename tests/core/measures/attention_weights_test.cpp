// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/list.h"
#include "core/measures/weight_figures.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace posiscope::measures {
namespace {

Question question(const char* scheme, std::int64_t seq_len = 50) {
  Question q;
  q.measure = "attention_weights";
  q.scheme.id = scheme;
  q.shape.seq_len = seq_len;
  q.shape.d_model = 16;
  q.shape.num_heads = 2;
  q.shape.head_dim = 8;
  q.mask.causal = true;
  return q;
}

Dataset answerOf(const Question& q) {
  Expected<Dataset> dataset = find(q.measure)->compute(q, Job{});
  EXPECT_TRUE(dataset) << (dataset ? "" : dataset.error().message.en);
  return dataset ? std::move(*dataset) : Dataset{};
}

TEST(RowEntropy, isThatOfTheLogarithm) {
  std::vector<float> row(100);
  for (std::size_t k = 0; k < row.size(); ++k) row[k] = std::exp(-0.2F * static_cast<float>(k));
  row[7] = 0;
  const float sum = std::accumulate(row.begin(), row.end(), 0.0F);
  double expected = 0;
  for (float& a : row) {
    a /= sum;
    if (a > 0) expected -= static_cast<double>(a) * std::log(static_cast<double>(a));
  }
  EXPECT_NEAR(rowEntropy(row), expected, 1e-5);
  EXPECT_NEAR(rowEntropy(std::vector<float>(37, 1.0F / 37)), std::log(37.0), 1e-5);
  EXPECT_EQ(rowEntropy(std::vector<float>{0, 1, 0}), 0);
}

TEST(AttentionWeights, rowsSumToOneAndTheFutureIsZero) {
  for (const char* scheme : {"none", "sinusoidal", "rope", "alibi"}) {
    const Dataset dataset = answerOf(question(scheme));
    ASSERT_EQ(dataset.maps.size(), 2U) << scheme;
    for (const Map& map : dataset.maps)
      for (std::int64_t i = 0; i < 50; ++i) {
        double sum = 0;
        for (std::int64_t j = 0; j < 50; ++j) sum += static_cast<double>(map.field->at(i, j));
        EXPECT_NEAR(sum, 1, 1e-5);
        EXPECT_EQ(map.field->at(i, 49) == 0, i < 49);
      }
  }
}

TEST(AttentionWeights, figuresOfUniformAttention) {
  Question q = question("none");
  q.content.source = ContentSource::ones;
  const Dataset dataset = answerOf(q);
  double entropy = 0;
  for (int i = 1; i <= 50; ++i) entropy += std::log(static_cast<double>(i)) / 50;
  EXPECT_NEAR(std::ranges::find(dataset.metrics, "entropy", &Metric::key)->value, entropy, 1e-5);
  ASSERT_EQ(dataset.curves.size(), 2U);
  EXPECT_EQ(dataset.curves[0].x.front(), 0);
  EXPECT_EQ(dataset.y.name.en, "mean weight") << "by what is at the other axis, and the strip is low";
  EXPECT_NEAR(dataset.curves[0].y.back(), 1.0 / 50, 1e-6);  // offset 49: the last row alone
  EXPECT_NEAR(dataset.curves[0].y[48], (1.0 / 49 + 1.0 / 50) / 2, 1e-6);
}

TEST(AttentionWeights, theMeanByOffsetIsThatOfThePairsThatTheMaskAllows) {
  std::vector<Mask> masks(4);
  masks[0].causal = true;
  masks[0].key_padding.assign(50, 1);
  for (std::size_t j : {0, 1, 2, 30}) masks[0].key_padding[j] = 0;  // the first three queries look at no key
  masks[1].window = 6;
  masks[2].side = 8;
  masks[2].shift = 3;
  masks[3].padding = Mask::Padding::end;
  masks[3].padded_queries = 9;
  for (const Mask& mask : masks) {
    Question q = question("rope");
    q.mask = mask;
    const Dataset weights = answerOf(q);
    q.measure = "attention_by_offset";
    const Dataset by_offset = answerOf(q);
    for (const char* head : {"head 0", "head 1"}) {
      const Curve& strip = *std::ranges::find(weights.curves, std::string("by offset ") + head, &Curve::key);
      const Curve& curve = *std::ranges::find(by_offset.curves, head, &Curve::key);
      std::size_t at = 0;
      for (std::size_t k = 0; k < strip.x.size(); ++k) {
        if (at == curve.x.size() || curve.x[at] != strip.x[k]) {
          EXPECT_TRUE(std::isnan(strip.y[k])) << "no pair at " << strip.x[k];
          continue;
        }
        EXPECT_EQ(std::isnan(strip.y[k]), std::isnan(curve.y[at])) << strip.x[k];
        if (!std::isnan(strip.y[k])) {
          EXPECT_NEAR(strip.y[k], curve.y[at], 1e-6) << strip.x[k];
        }
        ++at;
      }
      EXPECT_EQ(at, curve.x.size());
    }
  }
}

TEST(AttentionWeights, onlyTheHeadsAskedForInTheirOrder) {
  Question q = question("alibi");
  const Dataset all = answerOf(q);
  q.options["heads"] = std::vector<double>{1, 0};
  const Dataset swapped = answerOf(q);
  EXPECT_EQ(swapped.maps.at(0).head, 1);
  EXPECT_EQ(swapped.maps[0].field->at(30, 10), all.maps.at(1).field->at(30, 10));
  q.options["heads"] = std::vector<double>{2};
  EXPECT_EQ(find(q.measure)->compute(q, Job{}).error().message.en, "attention_weights: heads must be 0 to 1, got 2");
}

TEST(AttentionWeights, theFirstTokensSayTheirScope) {
  for (const char* scheme : {"sinusoidal", "rope", "alibi", "t5_log", "learned", "none", "shaw", "cope"}) {
    Question q = question(scheme);
    q.content.source = ContentSource::ones;  // the same content for any length
    const Dataset whole = answerOf(q);
    q.options["tokens"] = 20.0;
    const Dataset part = answerOf(q);
    EXPECT_EQ(part.scope.en, "first 20 of 50 tokens");
    ASSERT_EQ(part.maps.at(0).field->rows(), 20);
    for (std::int64_t i = 0; i < 20; ++i)
      for (std::int64_t j = 0; j < 20; ++j)
        EXPECT_NEAR(part.maps[1].field->at(i, j), whole.maps.at(1).field->at(i, j), 1e-6) << scheme;
  }
}

TEST(AttentionWeights, theStartOfADynamicSequenceKeepsItsFrequencies) {
  Question q = question("rope");
  q.content.source = ContentSource::ones;
  q.scheme.values = {{"scaling", std::string("dynamic")}, {"factor", 4.0}, {"max_length", 10.0}};
  const Dataset whole = answerOf(q);
  q.options["tokens"] = 12.0;
  EXPECT_NEAR(answerOf(q).maps.at(0).field->at(11, 2), whole.maps.at(0).field->at(11, 2), 1e-6);
  q.options.clear();
  q.shape.seq_len = 12;
  EXPECT_GT(std::abs(answerOf(q).maps.at(0).field->at(11, 2) - whole.maps[0].field->at(11, 2)), 1e-5);
}

TEST(AttentionWeights, givenArraysAndMasksAreCutToo) {
  Question q = question("rope", 6);
  q.content.source = ContentSource::arrays;
  std::vector<double> values(2 * 6 * 8);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = std::sin(static_cast<double>(k));
  q.content.q = makeArray({2, 6, 8}, values);
  std::ranges::reverse(values);
  q.content.k = makeArray({2, 6, 8}, values);
  q.mask.key_padding = {0, 1, 1, 1, 1, 1};
  const Dataset whole = answerOf(q);
  EXPECT_EQ(std::ranges::find(whole.metrics, "empty_rows", &Metric::key)->value, 1);
  EXPECT_EQ(whole.remarks.at(0).verdict, Verdict::warning);
  q.options["tokens"] = 4.0;
  const Dataset part = answerOf(q);
  for (const std::size_t h : {std::size_t{0}, std::size_t{1}})
    for (std::int64_t i = 0; i < 4; ++i)
      for (std::int64_t j = 0; j < 4; ++j)
        EXPECT_NEAR(part.maps.at(h).field->at(i, j), whole.maps.at(h).field->at(i, j), 1e-6);
}

TEST(AttentionWeights, logitsAreSignedAndUnmasked) {
  Question q = question("alibi");
  q.content.source = ContentSource::ones;
  q.options["quantity"] = std::string("logits");
  const Dataset dataset = answerOf(q);
  EXPECT_EQ(dataset.maps.at(0).kind, MapKind::diverging);
  EXPECT_NEAR(dataset.maps[0].field->at(10, 6), 8 / std::sqrt(8.0) - 4.0 / 16, 1e-5);
  EXPECT_NE(dataset.maps[0].field->at(6, 10), 0);
  EXPECT_TRUE(dataset.curves.empty());
}

TEST(AttentionWeights, aStoppedJobAndATooLongSequenceAreRefused) {
  const Job job;
  job.stop();
  EXPECT_EQ(find("attention_weights")->compute(question("rope"), job).error().code, ErrorCode::cancelled);
  EXPECT_EQ(find("attention_weights")->compute(question("cope", 131072), Job{}).error().code, ErrorCode::too_large);
}

TEST(AttentionWeights, aRefusalOfItsFirstTokensNamesTheSizesOfTheQuestion) {
  Question q = question("rope");
  q.options["tokens"] = 20.0;
  q.content.source = ContentSource::arrays;
  q.content.q = makeArray({2, 40, 8}, std::vector<double>(640, 1.0));
  q.content.k = makeArray({2, 50, 8}, std::vector<double>(800, 1.0));
  const Expected<Dataset> refused = find(q.measure)->compute(q, Job{});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message.en, "content: q must have shape (2, 50, 8), got (2, 40, 8)");
}

/// F05: the panel showed a scale twice, or a scale applied twice was not seen.
TEST(AttentionTerms, listEveryFactorOnce) {
  Question q = question("rope");
  q.shape.head_dim = 16;
  q.options["quantity"] = std::string("logits");
  const std::string term = answerOf(q).maps.front().term(5, 3);
  for (const char* factor : {"0.25", "q[5]", "k[3]", "R("}) {
    const std::size_t first = term.find(factor);
    ASSERT_NE(first, std::string::npos) << factor << " in " << term;
    EXPECT_EQ(term.find(factor, first + 1), std::string::npos) << factor << " in " << term;
  }
}

TEST(AttentionWeights, rowsWithoutASoftmaxAreCounted) {
  Question q = question("none", 4);
  q.content.source = ContentSource::arrays;
  std::vector<double> numbers(2 * 4 * 8, 1.0);
  q.content.k = makeArray({2, 4, 8}, std::vector<double>(numbers.size(), 1e20));
  std::fill_n(numbers.begin() + 8, 8, 1e30);  // of head 0, query 1: finite, but not its products
  q.content.q = makeArray({2, 4, 8}, numbers);
  const auto told = [](const Dataset& dataset) {
    return std::ranges::count_if(dataset.remarks, [](const Remark& remark) {
      return remark.verdict == Verdict::warning &&
             remark.sentence.en == "1 of 8 rows holds NaN or +∞, so it has no softmax; it counts in no figure." &&
             !remark.sentence.zh.empty();
    });
  };
  EXPECT_EQ(told(answerOf(q)), 1);
  numbers.assign(numbers.size(), 1.0);
  q.content.q = makeArray({2, 4, 8}, numbers);
  EXPECT_EQ(told(answerOf(q)), 0);
}

}  // namespace
}  // namespace posiscope::measures

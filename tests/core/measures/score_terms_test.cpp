// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bucket maps and the terms of the logits.
#include "core/attention/attention.h"
#include "core/measures/encoded.h"
#include "core/measures/list.h"
#include "core/schemes/list.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

Question question(const char* measure, const std::string& scheme, std::int64_t seq_len = 36) {
  Question q;
  q.measure = measure;
  q.scheme.id = scheme;
  q.shape.seq_len = seq_len;
  q.shape.d_model = 24;
  q.shape.num_heads = 3;
  q.shape.head_dim = 8;
  return q;
}

Dataset answerOf(const Question& q) {
  Expected<Dataset> dataset = find(q.measure)->compute(q, Job{});
  EXPECT_TRUE(dataset) << q.scheme.id << ": " << (dataset ? "" : dataset.error().message.en);
  return dataset ? std::move(*dataset) : Dataset{};
}

double metric(const Dataset& dataset, const std::string& key) {
  const auto found = std::ranges::find(dataset.metrics, key, &Metric::key);
  return found == dataset.metrics.end() ? std::nan("") : found->value;
}

TEST(ScoreTerms, addUpToTheLogitsOfEveryScheme) {
  for (const Scheme& scheme : schemes::catalogue()) {
    Question q = question("score_terms", scheme.id());
    q.options["head"] = 2.0;
    const Dataset dataset = answerOf(q);
    const EncodingPtr encoding = *encodingOf(q);
    attention::Wanted wanted;
    wanted.logits = true;
    wanted.weights = false;
    wanted.heads = {2};
    const auto whole = attention::attend(*encoding, *makeContent<float>(q.content, q.shape, readsEmbeddings(*encoding)),
                                         q.mask, q.shape, wanted, Job{});
    ASSERT_TRUE(whole && dataset.maps.size() >= 2) << scheme.id();
    for (std::int64_t i = 0; i < 36; ++i)
      for (std::int64_t j = 0; j < 36; ++j) {
        float sum = 0;
        for (std::size_t m = 0; m + 1 < dataset.maps.size(); ++m) sum += dataset.maps[m].field->at(i, j);
        const float logit = whole->logits[static_cast<std::size_t>(i * 36 + j)];
        ASSERT_NEAR(sum, logit, 1e-5 * (1 + std::abs(logit))) << scheme.id() << " " << i << ", " << j;
        ASSERT_NEAR(dataset.maps.back().field->at(i, j), logit, 1e-5 * (1 + std::abs(logit))) << scheme.id();
      }
  }
}

TEST(ScoreTerms, transformerXlHasFourDebertaAndTupeThree) {
  EXPECT_EQ(answerOf(question("score_terms", "transformer_xl")).maps.size(), 5U);
  EXPECT_EQ(answerOf(question("score_terms", "deberta")).maps.size(), 4U);
  EXPECT_EQ(answerOf(question("score_terms", "none")).maps.size(), 2U);
  const Dataset tupe = answerOf(question("score_terms", "tupe"));
  ASSERT_EQ(tupe.maps.size(), 4U);
  EXPECT_EQ(tupe.maps[0].label.en, "q·k, content");
  EXPECT_EQ(tupe.maps[1].label.en, "P·P, position to position");
  EXPECT_EQ(tupe.maps[2].field->at(20, 7), tupe.maps[2].field->at(21, 8)) << "the relative bias knows offsets only";
  EXPECT_NE(tupe.maps[1].field->at(20, 7), tupe.maps[1].field->at(21, 8));
  const Dataset xl = answerOf(question("score_terms", "transformer_xl"));
  for (std::int64_t j = 0; j < 36; ++j)  // (c) looks at the key alone, (d) at the offset alone
    EXPECT_EQ(xl.maps[2].field->at(0, j), xl.maps[2].field->at(35, j));
  for (std::int64_t n = 0; n < 30; ++n) EXPECT_EQ(xl.maps[3].field->at(n, 0), xl.maps[3].field->at(n + 5, 5));
}

TEST(ScoreTerms, areNothingWhereTheMaskForbids) {
  Question q = question("score_terms", "transformer_xl");
  q.mask.causal = true;
  for (const Map& map : answerOf(q).maps)
    for (std::int64_t i = 0; i < 36; ++i)
      for (std::int64_t j = i + 1; j < 36; ++j) ASSERT_EQ(map.field->at(i, j), 0.0F) << map.key << ' ' << i << ' ' << j;
}

TEST(ScoreTerms, aStartOfALongSequenceIsSaidToBeOne) {
  Question q = question("score_terms", "alibi", 400);
  q.options["tokens"] = 20.0;
  const Dataset dataset = answerOf(q);
  EXPECT_EQ(dataset.maps.front().field->rows(), 20);
  EXPECT_NE(dataset.scope.en.find("first 20 of 400"), std::string::npos);
  EXPECT_GT(metric(dataset, "rms term 1"), 0);
}

TEST(ScoreTerms, aStartOfAGridKeepsItsGrid) {
  for (const char* scheme : {"swin", "grid_bias", "tupe"}) {
    Question q = question("score_terms", scheme, 64);
    q.shape.grid_height = 4;
    q.shape.grid_width = 16;
    const Dataset whole = answerOf(q);
    q.options["tokens"] = 10.0;
    const Dataset start = answerOf(q);
    for (std::int64_t i = 0; i < 10; ++i)
      for (std::int64_t j = 0; j < 10; ++j) EXPECT_EQ(start.maps[1].field->at(i, j), whole.maps[1].field->at(i, j));
  }
}

TEST(BucketMap, showsWhereT5StopsTellingDistancesApart) {
  Question q = question("bucket_map", "t5_log", 300);
  const Dataset dataset = answerOf(q);
  EXPECT_EQ(metric(dataset, "constant_from"), 91);
  EXPECT_EQ(metric(dataset, "table_rows"), 32);
  EXPECT_EQ(metric(dataset, "rows_read"), 31);  // the first bucket of the other side never occurs
  EXPECT_EQ(dataset.maps.front().field->at(299, 299), 0);
  EXPECT_EQ(dataset.maps.front().field->at(0, 1), 17);
  q.scheme.values["bidirectional"] = false;
  EXPECT_EQ(metric(answerOf(q), "constant_from"), 113);
}

TEST(BucketMap, readsTheRowsOfDebertaAndTupe) {
  Question q = question("bucket_map", "deberta");
  q.scheme.values = {{"position_buckets", 0.0}, {"max_distance", 4.0}};
  const Dataset deberta = answerOf(q);
  EXPECT_EQ(deberta.maps.front().field->at(0, 35), 0);
  EXPECT_EQ(deberta.maps.front().field->at(35, 0), 7);
  EXPECT_EQ(deberta.maps.front().field->at(9, 9), 4);
  const Dataset tupe = answerOf(question("bucket_map", "tupe"));
  EXPECT_EQ(tupe.maps.front().field->at(0, 20), 16);
  EXPECT_EQ(tupe.maps.front().field->at(20, 0), 32);
  EXPECT_TRUE(tupe.curves.empty());  // no function of the offset
}

TEST(BucketMap, longMapsAreComputedWhenAsked) {
  const Dataset dataset = answerOf(question("bucket_map", "t5_simple", 1 << 17));
  EXPECT_EQ(dataset.maps.front().field->stored(), nullptr);
  EXPECT_EQ(dataset.maps.front().field->at(131071, 0), 32);
  EXPECT_EQ(dataset.maps.front().field->at(0, 131071), 0);
  EXPECT_FALSE(answerOf(question("bucket_map", "alibi")).nothing.en.empty());
}

}  // namespace
}  // namespace posiscope::measures

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Attention that is worked out row by row against the same attention stored.
#include "core/attention/streamed_field.h"
#include "core/difference.h"
#include "core/measures/list.h"
#include "core/slow_field.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

/// Streams whatever may be streamed, however short.
class Streaming {
 public:
  Streaming() : before_(attention::storedWeightsLimit()) { attention::setStoredWeightsLimit(0); }
  ~Streaming() { attention::setStoredWeightsLimit(before_); }

 private:
  double before_;
};

Question question(const char* scheme, std::int64_t seq_len = 90) {
  Question q;
  q.measure = "attention_weights";
  q.scheme.id = scheme;
  q.shape.seq_len = seq_len;
  q.shape.d_model = 24;
  q.shape.num_heads = 4;
  q.shape.num_kv_heads = 2;
  q.shape.head_dim = 6;
  q.content.word_std = 1;
  q.options["heads"] = std::vector<double>{0, 3};
  return q;
}

Dataset answerOf(Question q, bool streamed) {
  if (streamed) q.options["long_maps"] = std::string("streamed");
  Expected<Dataset> dataset = find(q.measure)->compute(q, Job{});
  EXPECT_TRUE(dataset) << q.scheme.id << ": " << (dataset ? "" : dataset.error().message.en);
  return dataset ? std::move(*dataset) : Dataset{};
}

void expectSame(const Question& q, const std::string& what) {
  const Streaming streaming;
  const Dataset stored = answerOf(q, false), streamed = answerOf(q, true);
  ASSERT_EQ(streamed.maps.size(), stored.maps.size()) << what;
  for (std::size_t m = 0; m < stored.maps.size(); ++m) {
    const Field& a = *stored.maps[m].field;
    const Field& b = *streamed.maps[m].field;
    ASSERT_TRUE(slowField(b)) << what;
    ASSERT_EQ(a.rows(), b.rows()) << what;
    ASSERT_EQ(a.cols(), b.cols()) << what;
    const FieldWindow whole{0, 0, static_cast<double>(a.rows()), static_cast<double>(a.cols())};
    slowField(b)->refine(whole, b.rows(), Job());
    std::vector<float> cells(static_cast<std::size_t>(a.rows() * a.cols()));
    b.sample(whole, b.rows(), b.cols(), Reduction::mean, cells);
    for (std::int64_t i = 0; i < a.rows(); ++i)
      for (std::int64_t j = 0; j < a.cols(); ++j) {
        const float expected = a.at(i, j), found = cells[static_cast<std::size_t>(i * a.cols() + j)];
        ASSERT_NEAR(found, expected, 4e-6F * std::max(1.0F, std::abs(expected))) << what << " " << i << ", " << j;
        ASSERT_TRUE(expected != 0 || found == 0) << what << " " << i << ", " << j;
      }
    EXPECT_NEAR(b.at(a.rows() - 1, 1), a.at(a.rows() - 1, 1), 4e-6F) << what;
    EXPECT_EQ(streamed.maps[m].term(5, 2), stored.maps[m].term(5, 2)) << what;
  }
}

TEST(StreamedAttention, isTheStoredOneForEveryKindOfScheme) {
  for (const char* scheme : {"none", "rope", "alibi", "t5_log", "sinusoidal"})
    for (const bool causal : {false, true}) {
      Question q = question(scheme);
      q.mask.causal = causal;
      expectSame(q, scheme);
    }
}

TEST(StreamedAttention, isTheStoredOneUnderEveryMask) {
  std::vector<Mask> masks(7);
  masks[0].window = 7;
  masks[1].causal = true, masks[1].window = 9, masks[1].prefix = 4;
  masks[2].causal = true, masks[2].chunk = 16;
  masks[3].padding = Mask::Padding::end, masks[3].padded_keys = 11, masks[3].padded_queries = 5;
  masks[4].causal = true, masks[4].padding = Mask::Padding::start, masks[4].padded_keys = 6;  // rows without any key
  masks[5].side = 8, masks[5].shift = 3;
  masks[6].key_padding.assign(90, 1), masks[6].key_padding[7] = 0;
  for (const char* scheme : {"rope", "alibi"})
    for (std::size_t m = 0; m < masks.size(); ++m) {
      Question q = question(scheme);
      q.mask = masks[m];
      expectSame(q, join(scheme, " mask ", m));
      q.content.source = ContentSource::ones;
      expectSame(q, join(scheme, " of ones, mask ", m));
    }
}

TEST(StreamedAttention, isTheStoredOneForEveryContentAndPart) {
  for (const char* scheme : {"rope", "alibi", "sinusoidal"}) {
    for (const ContentSource source : {ContentSource::ones, ContentSource::random, ContentSource::tokens})
      for (const char* part : {"both", "content", "position"})
        for (const char* quantity : {"weights", "logits"}) {
          Question q = question(scheme);
          q.content.source = source;
          q.options["part"] = std::string(part);
          q.options["quantity"] = std::string(quantity);
          expectSame(q, join(scheme, " ", part, " ", quantity, " content ", static_cast<int>(source)));
        }
    for (const TokenOrder order : {TokenOrder::repeated, TokenOrder::shuffled}) {
      Question q = question(scheme);
      q.content.token_order = order;
      expectSame(q, scheme);
    }
  }
}

TEST(StreamedAttention, isTheStoredOneForCachedQueriesAFirstPartAndArrays) {
  Question q = question("rope");
  q.shape.seq_len_q = 20;
  q.mask.causal = true;
  expectSame(q, "the last 20 ask");
  q.shape.seq_len_q = 0;
  q.options["tokens"] = 40.0;
  expectSame(q, "the first 40");
  q = question("alibi", 10);
  q.shape.num_kv_heads = 4;
  std::vector<double> numbers;
  for (int n = 0; n < 10 * 24; ++n) numbers.push_back(std::sin(n * n));
  q.content.source = ContentSource::arrays;
  q.content.x = makeArray({10, 24}, numbers);
  expectSame(q, "x alone");
  q.content.q = makeArray({4, 10, 6}, numbers);
  q.content.k = makeArray({4, 10, 6}, {numbers.rbegin(), numbers.rend()});
  expectSame(q, "q and k");
}

TEST(StreamedAttention, saysWhatItIsOf) {
  const Streaming streaming;
  const Dataset dataset = answerOf(question("rope"), true);
  EXPECT_NE(dataset.scope.en.find("all 90 keys"), std::string::npos) << dataset.scope.en;
  EXPECT_NE(dataset.scope.en.find("sampled"), std::string::npos);
  EXPECT_FALSE(dataset.scope.zh.empty());
  EXPECT_FALSE(dataset.draft);
}

TEST(StreamedAttention, itsNumbersAreWrittenLikeThoseOfStoredMaps) {
  const Streaming streaming;
  const Dataset streamed = answerOf(question("alibi"), true);
  const Array found = numbers(streamed), expected = numbers(answerOf(question("alibi"), false));
  ASSERT_EQ(found.shape, expected.shape);
  for (std::int64_t e = 0; e < found.size(); ++e) ASSERT_NEAR(found.data()[e], expected.data()[e], 4e-6) << e;
  const std::vector<float> row = wholeRow(*streamed.maps[1].field, 33);
  for (std::int64_t j = 0; j < 90; ++j)
    EXPECT_NEAR(row[static_cast<std::size_t>(j)], found.data()[(90 + 33) * 90 + j], 1e-7);
}

TEST(StreamedAttention, whatNeedsTheWholeMapIsItsFirstTokensOrRefused) {
  Question q = question("cope", 1 << 17);
  EXPECT_EQ(find(q.measure)->compute(q, Job{}).error().code, ErrorCode::too_large);
  const Dataset start = answerOf(q, true);
  ASSERT_EQ(start.maps.size(), 2U);
  EXPECT_EQ(start.maps[0].field->rows(), 512);
  EXPECT_NE(start.scope.en.find("first 512 of"), std::string::npos);
}

TEST(StreamedAttention, takesOverWhereStoringWouldBeRefused) {
  Question q = question("rope", 1 << 17);
  const Dataset dataset = answerOf(q, false);
  ASSERT_EQ(dataset.maps.size(), 2U);
  EXPECT_TRUE(slowField(*dataset.maps[0].field));
  EXPECT_GT(dataset.maps[0].field->limits().maximum, 0);
}

TEST(StreamedAttention, aDifferenceIsOneOfDraftsUntilBothAreKnown) {
  const Streaming streaming;
  const Dataset a = answerOf(question("rope"), true), b = answerOf(question("none"), true);
  const Expected<Dataset> d = difference(a, b);
  ASSERT_TRUE(d);
  const SlowField* field = slowField(*d->maps.at(0).field);
  ASSERT_TRUE(field);
  const FieldWindow whole{0, 0, 90, 90};
  EXPECT_FALSE(field->isFinal(whole, 90));
  EXPECT_TRUE(field->refine(whole, 90, Job()));
  EXPECT_TRUE(field->isFinal(whole, 90));
  EXPECT_TRUE(field->isKnown(12));
  const float expected = a.maps[0].field->at(12, 70) - b.maps[0].field->at(12, 70);
  std::vector<float> cells(90 * 90);
  field->sample(whole, 90, 90, Reduction::mean, cells);
  EXPECT_EQ(field->at(12, 70), expected);
  EXPECT_NEAR(cells[12 * 90 + 70], expected, 1e-7F);
}

}  // namespace
}  // namespace posiscope::measures

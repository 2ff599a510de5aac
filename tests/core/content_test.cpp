// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/content.h"

#include "core/parallel.h"
#include "core/random.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

namespace posiscope {
namespace {

Shape smallShape() {
  Shape shape;
  shape.seq_len = 6;
  shape.seq_len_q = 4;
  shape.num_heads = 4;
  shape.num_kv_heads = 2;
  shape.head_dim = 3;
  shape.d_model = 12;
  return shape;
}

Array arrayOf(std::vector<std::int64_t> shape) {
  std::int64_t count = 1;
  for (const std::int64_t n : shape) count *= n;
  std::vector<double> values;
  for (std::int64_t e = 0; e < count; ++e) values.push_back(static_cast<double>(e));
  return makeArray(std::move(shape), std::move(values));
}

constexpr std::uint64_t second_head = std::uint64_t{1} << 40;

TEST(MakeContent, drawsEachArrayFromItsOwnStream) {
  ContentSpec spec;
  spec.seed = 7;
  const auto content = makeContent<double>(spec, smallShape(), false);
  ASSERT_TRUE(content);
  ASSERT_EQ(content->q.size(), 4U * 4 * 3);
  ASSERT_EQ(content->k.size(), 2U * 6 * 3);
  ASSERT_EQ(content->v.size(), 2U * 6 * 3);
  EXPECT_EQ(content->value_dim, 3);
  EXPECT_TRUE(content->x.empty());
  // Four of six tokens ask: the fourth row of the first head is its sixth token.
  EXPECT_EQ(content->q[10], Stream(7, "content/q").normal(16));
  // The second head's numbers begin far behind the first's.
  EXPECT_EQ(content->k[35], Stream(7, "content/k").normal(second_head + 17));
  EXPECT_EQ(content->v[0], Stream(7, "content/v").normal(0));
}

TEST(MakeContent, theFirstTokensOfALongerSequenceAreTheShorterSequence) {
  Shape longer = smallShape();
  longer.seq_len_q = 0;
  longer.seq_len = 700;  // more than a block of numbers for one thread
  longer.head_dim = 64;
  Shape shorter = longer;
  shorter.seq_len = 24;
  ContentSpec spec;
  spec.seed = 11;
  const auto compare = [&]<class T>(T) {
    const auto start = makeContent<T>(spec, shorter, false), whole = makeContent<T>(spec, longer, false);
    ASSERT_TRUE(start && whole);
    for (const auto& [few, all] : {std::pair{&start->q, &whole->q}, {&start->k, &whole->k}, {&start->v, &whole->v}})
      for (std::size_t head = 0; head < few->size() / (24 * 64); ++head)
        for (std::size_t e = 0; e < 24 * 64; ++e)
          ASSERT_NEAR((*few)[head * 24 * 64 + e], (*all)[head * 700 * 64 + e], 1e-6) << head << " " << e;
    EXPECT_EQ(start->q.size(), 4U * 24 * 64);
  };
  compare(0.0F);
  compare(0.0);
}

TEST(MakeContent, queriesWithCachedKeysAreTheLastOnesOfTheFullRun) {
  Shape full = smallShape();
  full.seq_len = 600;  // more than a block of numbers for one thread
  full.head_dim = 64;
  full.seq_len_q = 0;
  for (const TokenOrder order : {TokenOrder::plain, TokenOrder::repeated, TokenOrder::shuffled})
    for (const std::int64_t asking : {1, 7, 599}) {
      ContentSpec spec;
      spec.token_order = order;
      Shape cached = full;
      cached.seq_len_q = asking;
      const auto all = makeContent<float>(spec, full, false);
      const auto last = makeContent<float>(spec, cached, false);
      EXPECT_EQ(last->k, all->k);
      ASSERT_EQ(last->q.size(), static_cast<std::size_t>(4 * asking * 64));
      for (std::int64_t head = 0; head < 4; ++head) {
        const auto from = all->q.begin() + ((head + 1) * 600 - asking) * 64;
        EXPECT_TRUE(std::equal(from, from + asking * 64, last->q.begin() + head * asking * 64))
            << "head " << head << ", " << asking << " queries";
      }
    }
}

TEST(MakeContent, leavesQueriesAndKeysToTheEmbeddings) {
  ContentSpec spec;
  spec.word_std = 0.5;
  const auto content = makeContent<double>(spec, smallShape(), true);
  ASSERT_TRUE(content);
  EXPECT_TRUE(content->q.empty());
  EXPECT_TRUE(content->k.empty());
  ASSERT_EQ(content->x.values.size(), 6U * 12);
  EXPECT_EQ(content->x.row(2)[5], 0.5 * Stream(1, "content/x").normal(29));
  ASSERT_EQ(content->w_k.rows, 6);
  ASSERT_EQ(content->w_q.rows, 12);
  EXPECT_DOUBLE_EQ(content->w_q.row(11)[11], Stream(1, "content/w_q").normal(143) / std::sqrt(12.0));
}

TEST(MakeContent, isTheSameOnEveryNumberOfThreads) {
  Shape shape = smallShape();
  shape.seq_len = 2000;
  shape.seq_len_q = 0;
  const int before = threads();
  setThreads(1);
  const auto one = makeContent<float>({}, shape, false);
  ContentSpec other;
  other.seed = 2;
  ASSERT_TRUE(makeContent<float>(other, shape, false)) << "pushes out what is remembered";
  setThreads(3);
  const auto three = makeContent<float>({}, shape, false);
  setThreads(before);
  EXPECT_EQ(one->q, three->q);
  EXPECT_EQ(one->v, three->v);
}

TEST(MakeContent, doesNotRememberTheNumbersOfAnotherQuestion) {
  Shape longer = smallShape();
  longer.seq_len = 9;
  ContentSpec spec;
  ContentSpec other;
  other.seed = 2;
  other.word_std = 3;
  for (const bool embeddings : {false, true}) {
    const auto first = makeContent<double>(spec, longer, embeddings);
    const auto shorter = makeContent<double>(spec, smallShape(), embeddings);
    const auto changed = makeContent<double>(other, longer, embeddings);
    const auto again = makeContent<double>(spec, longer, embeddings);
    EXPECT_EQ(first->k, again->k);
    EXPECT_EQ(first->x.values, again->x.values);
    if (embeddings) {
      EXPECT_EQ(changed->x.row(8)[11], 3 * Stream(2, "content/x").normal(107));
      EXPECT_EQ(shorter->x.values.size(), 72U);
      EXPECT_EQ(shorter->x.row(5)[11], 0.02 * Stream(1, "content/x").normal(71));
    } else {
      EXPECT_EQ(changed->k[53], Stream(2, "content/k").normal(second_head + 26));
      EXPECT_EQ(shorter->k.size(), 36U);
      EXPECT_EQ(shorter->k[35], Stream(1, "content/k").normal(second_head + 17));
    }
  }
}

TEST(MakeContent, ofOnesIsOne) {
  ContentSpec spec;
  spec.source = ContentSource::ones;
  const auto direct = makeContent<float>(spec, smallShape(), false);
  for (const auto* values : {&direct->q, &direct->k, &direct->v}) {
    EXPECT_FALSE(values->empty());
    EXPECT_TRUE(std::ranges::all_of(*values, [](float x) { return x == 1.0F; }));
  }
  const auto embedded = makeContent<float>(spec, smallShape(), true);
  EXPECT_EQ(embedded->x.values, std::vector<float>(72, 1.0F));
  EXPECT_FALSE(embedded->w_q.empty());
}

ContentSpec arrays() {
  ContentSpec spec;
  spec.source = ContentSource::arrays;
  spec.q = arrayOf({4, 4, 3});
  spec.k = arrayOf({2, 6, 3});
  return spec;
}

TEST(MakeContent, takesArraysAsTheyAre) {
  ContentSpec spec = arrays();
  spec.v = arrayOf({2, 6, 5});
  const auto content = makeContent<float>(spec, smallShape(), false);
  ASSERT_TRUE(content) << content.error().message.en;
  EXPECT_EQ(content->q[47], 47.0F);
  EXPECT_EQ(content->value_dim, 5);
  EXPECT_EQ(content->v.size(), 60U);
}

TEST(MakeContent, handsOverQueriesAndKeysBesideTheEmbeddings) {
  ContentSpec spec = arrays();
  spec.x = arrayOf({6, 12});
  spec.w_q = arrayOf({12, 12});
  spec.w_k = arrayOf({6, 12});
  const auto direct = makeContent<float>(spec, smallShape(), false);
  EXPECT_FALSE(direct->q.empty());
  EXPECT_TRUE(direct->w_q.empty());
  EXPECT_FALSE(direct->x.empty()) << "scores may look at x";
  const auto embedded = makeContent<float>(spec, smallShape(), true);
  EXPECT_EQ(embedded->q, direct->q) << "gates read x, but the queries are still those given";
  EXPECT_EQ(embedded->k, direct->k);
  EXPECT_EQ(embedded->x.values, direct->x.values);
  EXPECT_EQ(embedded->w_k.rows, 6);
}

void expectRefusal(const ContentSpec& spec, bool need_embeddings, const std::string& part) {
  const auto content = makeContent<float>(spec, smallShape(), need_embeddings);
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().code, ErrorCode::bad_shape);
  EXPECT_NE(content.error().message.en.find(part), std::string::npos) << content.error().message.en;
  EXPECT_FALSE(content.error().message.zh.empty());
}

TEST(MakeContent, namesTheArrayTheFoundAndTheWantedShape) {
  ContentSpec spec = arrays();
  spec.k = arrayOf({4, 6, 3});
  expectRefusal(spec, false, "k must have shape (2, 6, 3), got (4, 6, 3)");
  spec = arrays();
  spec.v = arrayOf({2, 5, 3});
  expectRefusal(spec, false, "v must have shape (2, 6, …), got (2, 5, 3)");
  spec = arrays();
  spec.x = arrayOf({6, 11});
  expectRefusal(spec, true, "x must have shape (6, 12), got (6, 11)");
  spec.x = arrayOf({6, 12});
  spec.w_q = arrayOf({12});
  expectRefusal(spec, true, "w_q must have shape (12, 12), got (12,)");
}

TEST(MakeContent, saysWhichArraysAreMissing) {
  expectRefusal(arrays(), true, "must give x");
  ContentSpec spec = arrays();
  spec.k = {};
  expectRefusal(spec, false, "only q");
  spec.q = {};
  expectRefusal(spec, false, "none of them");
}

TEST(MakeContent, aFileThatIsAskedForIsNamedWhateverTheOthersGive) {
  for (const bool need_embeddings : {false, true}) {
    ContentSpec spec = arrays();
    spec.v = Array{{}, nullptr, "/somewhere/v.npy"};
    const auto content = makeContent<float>(spec, smallShape(), need_embeddings);
    ASSERT_FALSE(content);
    EXPECT_EQ(content.error().code, ErrorCode::file_missing);
    EXPECT_EQ(content.error().message.en, "content: v: the file v.npy is missing or has changed");
    EXPECT_EQ(content.error().message.zh, "内容：v：文件 v.npy 缺失或已改变");
    spec.source = ContentSource::random;  // the arrays are not looked at
    EXPECT_TRUE(makeContent<float>(spec, smallShape(), need_embeddings));
  }
}

TEST(MakeContent, refusesWhatDoesNotFitIntoMemory) {
  const double limit = memoryLimit();
  const auto with = [limit](double bytes, const ContentSpec& spec, bool need_embeddings) {
    setMemoryLimit(bytes);
    auto content = makeContent<float>(spec, smallShape(), need_embeddings);
    setMemoryLimit(limit);
    return content;
  };
  // All of them together: q has 48 numbers, k and v 36; x 72 and the projections 144, 72 and 72.
  EXPECT_TRUE(with(4 * 120, {}, false));
  EXPECT_TRUE(with(4 * 360, {}, true));
  EXPECT_TRUE(with(4 * 84, arrays(), false));
  for (const auto& content :
       {with(4 * 120 - 1, {}, false), with(4 * 360 - 1, {}, true), with(4 * 84 - 1, arrays(), false)}) {
    ASSERT_FALSE(content);
    EXPECT_EQ(content.error().code, ErrorCode::too_large);
  }
  EXPECT_TRUE(with(4 * 120 - 1, {}, false).error().message.en.starts_with("content: q, k, v would need "));
}

TEST(MakeEmbeddings, areThoseOfTheContent) {
  ContentSpec spec;
  EXPECT_EQ(makeEmbeddings<float>(spec, smallShape())->values, makeContent<float>(spec, smallShape(), true)->x.values);
  const auto missing = makeEmbeddings<float>(arrays(), smallShape());
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::bad_shape);
}

TEST(ContentTable, readsEveryField) {
  const auto spec = contentTable().read("content", {{"source", std::string("arrays")},
                                                    {"seed", 12.0},
                                                    {"word_std", 0.5},
                                                    {"q", arrayOf({1, 1, 1})},
                                                    {"w_v", arrayOf({2, 2})}});
  ASSERT_TRUE(spec) << spec.error().message.en;
  EXPECT_EQ(spec->source, ContentSource::arrays);
  EXPECT_EQ(spec->seed, 12);
  EXPECT_EQ(spec->word_std, 0.5);
  EXPECT_EQ(spec->q, arrayOf({1, 1, 1}));
  EXPECT_EQ(spec->w_v, arrayOf({2, 2}));
  EXPECT_FALSE(contentTable().read("content", {{"source", std::string("modell")}}));
}

}  // namespace
}  // namespace posiscope

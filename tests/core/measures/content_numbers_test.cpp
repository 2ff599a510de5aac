// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the content of a question gives to its answers: words, their lengths, their names on the axes.
#include "core/compute.h"
#include "core/token_names.h"
#include "tests/support/answer_of.h"

#include <cmath>
#include <numeric>

namespace posiscope {
namespace {

TEST(NormRatio, wordsOfAllOnesHaveTheLengthOfTheSpread) {
  Question q = test::questionOf("norm_ratio", "learned", {}, 64);  // a table of standard deviation 0.02
  q.content.source = ContentSource::ones;
  const Dataset ones = test::answerOf(q);
  ASSERT_FALSE(ones.curves.empty());
  const std::vector<double>& y = ones.curves.front().y;
  EXPECT_NEAR(std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size()), 1, 0.05);
  q.content.word_std = 0.2;
  EXPECT_NEAR(test::answerOf(q).curves.front().y[0], y[0] / 10, 1e-12) << "the spread counts";
}

TEST(Similarity, ofABiasThatIsNoFunctionOfTheOffsetIsTheBias) {
  Question q = test::questionOf("similarity", "alibi", {{"form", std::string("key_only")}}, 6);
  const Dataset dataset = test::answerOf(q);
  ASSERT_EQ(dataset.maps.size(), 1U);
  const Field& field = *dataset.maps.front().field;
  const double slope = std::exp2(-2.0);  // of the first of four heads
  for (std::int64_t i = 0; i < 6; ++i)
    for (std::int64_t j = 0; j < 6; ++j) EXPECT_FLOAT_EQ(field.at(i, j), static_cast<float>(slope * double(j)));
  EXPECT_EQ(dataset.maps.front().key, "bias head 0");
  q.measure = "position_table";
  q.shape.seq_len = 8192;  // too much to be stored: made where it is looked at
  EXPECT_FLOAT_EQ(test::answerOf(q).maps.front().field->at(8000, 8191), static_cast<float>(slope * 8191));
}

ContentSpec sentence() {
  ContentSpec spec;
  spec.source = ContentSource::tokens;
  spec.text = "the cat sees the 猫";
  return spec;
}

TEST(Sentence, equalWordsHaveEqualNumbersAndItIsSaidAgain) {
  Shape shape;
  shape.seq_len = 7;
  shape.num_heads = 2;
  shape.head_dim = 4;
  const auto content = makeContent<double>(sentence(), shape, false);
  ASSERT_TRUE(content);
  const auto key = [&](std::int64_t head, std::int64_t token) {
    const auto first = content->k.begin() + (head * 7 + token) * 4;
    return std::vector<double>(first, first + 4);
  };
  for (const std::int64_t head : {0, 1}) {
    EXPECT_EQ(key(head, 0), key(head, 3)) << "the … the";
    EXPECT_EQ(key(head, 1), key(head, 6)) << "cat, said again";
    EXPECT_NE(key(head, 0), key(head, 1));
    EXPECT_NE(key(head, 0), key(head, 4));
  }
  EXPECT_NE(key(0, 0), key(1, 0)) << "heads differ";
  ContentSpec empty = sentence();
  empty.text = " ";
  const auto refused = makeContent<double>(empty, shape, false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message.en, "content: the sentence has no tokens, it must have at least one");
}

TEST(Sentence, namesTheAxesOfItsAttention) {
  Experiment e;
  e.shape.seq_len = 5;
  e.shape.seq_len_q = 2;
  e.shape.num_heads = 1;
  e.shape.head_dim = 4;
  e.content = sentence();
  e.schemes = {{"rope", {}, {}, 0, true}};
  const auto result = compute({e, {{"attention_weights", {}}}}, Job{});
  ASSERT_TRUE(result);
  const Map& map = (*(*result)->answers[0][0].dataset)->maps.front();
  ASSERT_TRUE(map.rows.names && map.cols.names);
  EXPECT_EQ(*map.cols.names, (std::vector<std::string>{"the", "cat", "sees", "the", "猫"}));
  EXPECT_EQ(*map.rows.names, (std::vector<std::string>{"the", "猫"})) << "cached queries are the last";
}

TEST(ModelScope, tellsModelLayerAndWhereTheTokensComeFrom) {
  ContentSpec spec;
  spec.source = ContentSource::model;
  spec.model = "models/stories/config.json";
  Shape shape;
  shape.layer = 2;
  EXPECT_EQ(modelScope(spec, shape).en, "stories, layer 2, tokens drawn from the seed");
  spec.token_ids = "1 2";
  EXPECT_EQ(modelScope(spec, shape).en, "stories, layer 2");
  spec.second_segment = 3;
  EXPECT_EQ(modelScope(spec, shape).en, "stories, layer 2, second segment from token 3");
  spec.second_segment = shape.seq_len;
  EXPECT_EQ(modelScope(spec, shape).en, "stories, layer 2") << "nothing is of it";
  shape.num_layers = 5;
  EXPECT_EQ(modelScope(spec, shape, true).en, "stories, all 5 layers");
  spec.source = ContentSource::random;
  EXPECT_EQ(modelScope(spec, shape).en, "");
}

TEST(PaddingScope, isToldBelowAttentionOnly) {
  Experiment e;
  e.shape.seq_len = 16;
  e.shape.num_heads = 1;
  e.schemes = {{"rope", {}, "", 0, true}};
  e.mask.padding = Mask::Padding::start;
  e.mask.padded_keys = 3;
  e.mask.padded_queries = 2;
  const auto result = compute({e, {{"attention_weights", {}}, {"position_table", {}}}}, Job{});
  ASSERT_TRUE(result);
  const auto scope = [&](std::size_t measure) {
    for (const auto& row : (*result)->answers)
      for (const Answer& answer : row)
        if (answer.question.measure == (measure == 0 ? "attention_weights" : "position_table"))
          return (*answer.dataset)->scope.en;
    return std::string("none");
  };
  EXPECT_EQ(scope(0).rfind("first 3 keys are padding, first 2 queries are padding", 0), 0u) << scope(0);
  EXPECT_EQ(scope(1).find("padding"), std::string::npos);
}

TEST(RepeatScope, saysWhenTheSentenceIsSaidAgain) {
  ContentSpec spec;
  spec.source = ContentSource::tokens;
  spec.text = "the cat sat";
  Shape shape;
  shape.seq_len = 3;
  EXPECT_EQ(repeatScope(spec, shape).en, "");
  shape.seq_len = 4;
  EXPECT_EQ(repeatScope(spec, shape).en, "the sentence repeats after 3 tokens");
  spec.source = ContentSource::random;
  EXPECT_EQ(repeatScope(spec, shape).en, "");
}

TEST(RepeatScope, standsBesideFiguresWithoutTokensToo) {
  Experiment e;
  e.shape.seq_len = 16;
  e.shape.num_heads = 2;
  e.schemes = {{"alibi", {}, "", 0, true}};
  e.content.source = ContentSource::tokens;
  e.content.text = "the cat sat";
  Request request{e, {}};
  for (const char* id :
       {"heads", "head_kinds", "attention_by_offset", "attention_row", "attention_weights", "similarity"})
    request.measures.push_back({id, {}});
  const auto result = compute(request, Job{});
  ASSERT_TRUE(result);
  for (const auto& row : (*result)->answers) {
    const std::string scope = (*row.front().dataset)->scope.en;
    const std::string& id = row.front().question.measure;
    EXPECT_EQ(scope.find("the sentence repeats after 3 tokens") != std::string::npos, id != "similarity")
        << id << scope;
  }
}

// Offsets of queries that are no tokens of the keys are an agreement, not a fact of the file.
TEST(OwnQueries, sayWhereTheyCount) {
  Experiment e;
  e.shape.seq_len = 3;
  e.shape.seq_len_q = 2;
  e.shape.num_heads = 1;
  e.schemes = {{"none", {}, "", 0, true}};
  e.content.source = ContentSource::attention;
  e.content.attention = makeArray({1, 2, 3}, {0.5, 0.25, 0.25, 0.125, 0.375, 0.5});
  for (const bool causal : {false, true}) {
    e.mask.causal = causal;
    Request request{e, {}};
    for (const char* id : {"attention_weights", "attention_by_offset"}) request.measures.push_back({id, {}});
    const auto result = compute(request, Job{});
    ASSERT_TRUE(result);
    for (const auto& row : (*result)->answers) {
      const std::string scope = (*row.front().dataset)->scope.en;
      EXPECT_EQ(scope.find("the 2 queries count as the last of 3 positions") != std::string::npos, !causal) << scope;
    }
  }
}

}  // namespace
}  // namespace posiscope

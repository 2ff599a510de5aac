// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Queries of a coarser grid are no last tokens: they are called what they are, and nothing is averaged by i − j.
#include "core/pooled_queries.h"

#include "core/compute.h"
#include "core/measures/encoded.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

namespace posiscope {
namespace {

/// A grid of 4 × 6 keys.
Request requestOf(const char* measure, const char* scheme, ParamValues values, std::int64_t queries) {
  Request request;
  Shape& shape = request.experiment.shape;
  shape.grid_height = 4;
  shape.grid_width = 6;
  shape.seq_len = 24;
  shape.seq_len_q = queries;
  shape.d_model = 16;
  shape.num_heads = 2;
  shape.head_dim = 8;
  request.experiment.schemes.push_back({scheme, std::move(values), {}, 0, true});
  request.measures = {{measure, {}}};
  return request;
}

Dataset answerOf(const Request& request) {
  const auto result = compute(request, Job{});
  EXPECT_TRUE(result);
  const auto& dataset = (*result)->answers.at(0).at(0).dataset;
  EXPECT_TRUE(dataset) << (dataset ? "" : dataset.error().message.en);
  return dataset ? **dataset : Dataset{};
}

Dataset ofLevit(const char* measure) {
  return answerOf(requestOf(measure, "grid_bias", {{"kind", std::string("levit")}, {"stride", 2.0}}, 6));
}

Dataset ofDecomposed(const char* measure) {
  return answerOf(requestOf(measure, "decomposed_2d", {{"query_height", 2.0}, {"query_width", 3.0}}, 6));
}

using Names = std::vector<std::string>;

TEST(PooledQueries, areNumberedByThemselvesAndNamedByTheirTokens) {
  for (const char* measure :
       {"position_table", "attention_weights", "attention_overview", "bucket_map", "similarity", "score_terms"}) {
    const Dataset dataset = ofLevit(measure);
    ASSERT_FALSE(dataset.maps.empty()) << measure;
    const Map& map = dataset.maps.front();
    EXPECT_EQ(map.rows.first, 0) << measure;
    EXPECT_EQ(map.rows.name.en, "pooled query") << measure;
    ASSERT_TRUE(map.rows.names) << measure;
    EXPECT_EQ(*map.rows.names, (Names{"0 (0, 0)", "2 (0, 2)", "4 (0, 4)", "12 (2, 0)", "14 (2, 2)", "16 (2, 4)"}));
    EXPECT_EQ(map.cols.name.en, "key") << measure;
    EXPECT_NE(dataset.scope.en.find("the queries stand at rows and columns 0, 2, 4 … of the 4 × 6 patches"),
              std::string::npos)
        << dataset.scope.en;
  }
  const std::string table = csv(ofLevit("position_table"));
  EXPECT_EQ(table.rfind("i,token,j0,", 0), 0U) << table;
  EXPECT_NE(table.find("\n3,12,"), std::string::npos) << table;
}

TEST(PooledQueries, areNamedByTheirOwnGridWhereTheyAreNoTokens) {
  const Dataset dataset = ofDecomposed("attention_weights");
  ASSERT_FALSE(dataset.maps.empty());
  const Axis& rows = dataset.maps.front().rows;
  EXPECT_EQ(*rows.names, (Names{"(0, 0)", "(0, 1)", "(0, 2)", "(1, 0)", "(1, 1)", "(1, 2)"}));
  EXPECT_EQ(rows.first, 0);
  EXPECT_EQ(dataset.maps.front().term(3, 7).find("q[21]"), std::string::npos) << dataset.maps.front().term(3, 7);
  EXPECT_NE(dataset.scope.en.find("the queries are pooled to a grid of 2 × 3"), std::string::npos) << dataset.scope.en;
  EXPECT_EQ(csv(dataset).rfind("map,i,j0", 0), 0U);
}

TEST(PooledQueries, countAClassTokenBeforeThePatches) {
  Request request = requestOf("attention_weights", "decomposed_2d",
                              {{"class_token", true}, {"query_height", 1.0}, {"query_width", 2.0}}, 3);
  request.experiment.shape.seq_len = 25;
  const Dataset dataset = answerOf(request);
  ASSERT_FALSE(dataset.maps.empty());
  EXPECT_EQ(*dataset.maps.front().rows.names, (Names{"CLS", "(0, 0)", "(0, 1)"}));
}

TEST(PooledQueries, haveNoOffsets) {
  const Dataset attention = ofLevit("attention_by_offset");
  EXPECT_TRUE(attention.curves.empty());
  EXPECT_NE(attention.nothing.en.find("an offset i − j means nothing: the queries stand at"), std::string::npos);
  EXPECT_FALSE(attention.nothing.zh.empty());
  EXPECT_NE(ofDecomposed("attention_by_offset").nothing.en.find("pooled to a grid of 2 × 3"), std::string::npos);
  const Dataset bias = ofLevit("bias_by_offset");
  EXPECT_TRUE(bias.maps.empty() && bias.curves.empty() && bias.metrics.empty());
  EXPECT_FALSE(bias.nothing.en.empty());
  const auto isLine = [](const Curve& curve) { return curve.role == CurveRole::line; };
  EXPECT_TRUE(std::ranges::none_of(ofLevit("attention_weights").curves, isLine)) << "mean weight by offset";
  const Dataset heads = ofLevit("heads");
  EXPECT_NE(heads.scope.en.find("the 6 pooled queries count as the last of 24 positions"), std::string::npos);
}

TEST(PooledQueries, oneOfThemIsNamedInItsRow) {
  Dataset row = ofLevit("attention_row");
  EXPECT_EQ(row.query, 16);
  ASSERT_FALSE(row.curves.empty());
  EXPECT_EQ(row.curves.front().label.en, "query 5 “16 (2, 4)”, head 0");
  row = ofDecomposed("attention_row");
  EXPECT_TRUE(std::isnan(row.query));
  EXPECT_EQ(row.curves.front().label.en, "query 5 “(1, 2)”, head 0");
}

TEST(PooledQueries, haveNoCardOfProperties) {
  const Dataset card = ofLevit("properties");
  EXPECT_TRUE(card.properties.empty());
  EXPECT_NE(card.nothing.en.find("stride 1 and seq_len_q 0"), std::string::npos) << card.nothing.en;
  EXPECT_EQ(card.nothing.en.find("16"), std::string::npos) << "a number nobody gave";
  // As many queries as keys, in a grid of other sides: the scores are square, and of different things all the same.
  const Request turned = requestOf("properties", "decomposed_2d", {{"query_height", 6.0}, {"query_width", 4.0}}, 0);
  EXPECT_NE(answerOf(turned).nothing.en.find("pooled to a grid of 6 × 4"), std::string::npos);
}

TEST(PooledQueries, areNoneWhereEveryPatchAsks) {
  for (const char* kind : {"beit", "maxvit", "levit"}) {
    Request request = requestOf("attention_weights", "grid_bias", {{"kind", std::string(kind)}}, 0);
    const Shape& shape = request.experiment.shape;
    const auto encoding = measures::encodingOf(request.experiment.schemes.front(), shape);
    ASSERT_TRUE(encoding);
    EXPECT_FALSE(pooledQueries(**encoding, shape)) << kind;
    const Dataset dataset = answerOf(request);
    EXPECT_EQ(dataset.maps.front().rows.name.en, "query");
    EXPECT_EQ(dataset.x.symbol, "n") << "the mean weight by offset stays";
  }
  EXPECT_FALSE(answerOf(requestOf("properties", "grid_bias", {{"kind", std::string("levit")}}, 0)).properties.empty());
}

TEST(PooledQueries, attentionThatIsGivenHasNone) {
  Request request = requestOf("attention_weights", "grid_bias", {{"kind", std::string("levit")}, {"stride", 2.0}}, 6);
  ContentSpec& content = request.experiment.content;
  content.source = ContentSource::attention;
  content.attention = makeArray({2, 6, 24}, std::vector<double>(2 * 6 * 24, 1.0 / 24));
  const Dataset dataset = answerOf(request);
  ASSERT_FALSE(dataset.maps.empty());
  EXPECT_EQ(dataset.maps.front().rows.name.en, "query");
}

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/token_order.h"

#include "core/compute.h"
#include "core/content.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace posiscope {
namespace {

Shape shapeOf(std::int64_t keys, std::int64_t queries = 0) {
  Shape s;
  s.seq_len = keys;
  s.seq_len_q = queries;
  s.d_model = 12;
  s.num_heads = 3;
  s.head_dim = 4;
  return s;
}

ContentSpec in(TokenOrder order, std::int64_t seed = 1) {
  ContentSpec spec;
  spec.seed = seed;
  spec.token_order = order;
  spec.repeat_after = 3;
  return spec;
}

/// One token's numbers in head `h` of [heads, tokens, width].
std::vector<double> tokenOf(const std::vector<double>& rows, std::int64_t tokens, std::int64_t width, std::int64_t h,
                            std::int64_t token) {
  const auto first = rows.begin() + (h * tokens + token) * width;
  return {first, first + width};
}

TEST(TokenOrder, ShuffledHasEveryTokenOnceAndDependsOnTheSeed) {
  for (const std::int64_t count : {1, 2, 3, 17, 64}) {
    const TokensInOrder order(TokenOrder::shuffled, count, 0, 5);
    std::set<std::int64_t> seen;
    for (std::int64_t i = 0; i < count; ++i) seen.insert(order.at(i));
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(count));
    EXPECT_EQ(*seen.begin(), 0);
    EXPECT_EQ(*seen.rbegin(), count - 1);
  }
  const TokensInOrder one(TokenOrder::shuffled, 64, 0, 1), two(TokenOrder::shuffled, 64, 0, 2);
  int moved = 0, other = 0;
  for (std::int64_t i = 0; i < 64; ++i) moved += one.at(i) != i, other += one.at(i) != two.at(i);
  EXPECT_GT(moved, 50);
  EXPECT_GT(other, 50);
}

TEST(TokenOrder, RepeatedTokensAreTheFirstOnesInEveryPart) {
  const Shape s = shapeOf(11);
  for (const bool embeddings : {false, true}) {
    const Content<double> plain = *makeContent<double>(in(TokenOrder::plain), s, embeddings);
    const Content<double> repeated = *makeContent<double>(in(TokenOrder::repeated), s, embeddings);
    for (std::int64_t i = 0; i < 11; ++i)
      for (std::int64_t h = 0; h < (embeddings ? 1 : 3); ++h) {
        const std::int64_t width = embeddings ? 12 : 4;
        const auto same = [&](const std::vector<double>& now, const std::vector<double>& drawn) {
          EXPECT_EQ(tokenOf(now, 11, width, h, i), tokenOf(drawn, 11, width, h, i % 3)) << i << ' ' << h;
        };
        if (embeddings) {
          same(repeated.x.values, plain.x.values);
        } else {
          same(repeated.q, plain.q);
          same(repeated.k, plain.k);
          same(repeated.v, plain.v);
        }
      }
    EXPECT_EQ(repeated.w_q.values, plain.w_q.values);
  }
}

TEST(TokenOrder, ShuffledQueriesKeysAndValuesStayTogether) {
  const Shape s = shapeOf(9);
  const Content<double> plain = *makeContent<double>(in(TokenOrder::plain), s, false);
  const Content<double> shuffled = *makeContent<double>(in(TokenOrder::shuffled), s, false);
  const TokensInOrder order(TokenOrder::shuffled, 9, 0, 1);
  for (std::int64_t i = 0; i < 9; ++i)
    for (std::int64_t h = 0; h < 3; ++h)
      for (const auto& [now, drawn] :
           {std::pair{&shuffled.q, &plain.q}, {&shuffled.k, &plain.k}, {&shuffled.v, &plain.v}})
        EXPECT_EQ(tokenOf(*now, 9, 4, h, i), tokenOf(*drawn, 9, 4, h, order.at(i)));
}

TEST(TokenOrder, CachedQueriesAreThoseOfTheLastTokens) {
  const Content<double> all = *makeContent<double>(in(TokenOrder::repeated), shapeOf(10), false);
  const Content<double> last = *makeContent<double>(in(TokenOrder::repeated), shapeOf(10, 4), false);
  EXPECT_EQ(last.k, all.k);
  for (std::int64_t r = 0; r < 4; ++r)
    for (std::int64_t h = 0; h < 3; ++h) EXPECT_EQ(tokenOf(last.q, 4, 4, h, r), tokenOf(all.q, 10, 4, h, 6 + r));
}

// Without a mask and without position attention does not know the order: the weights are those of the plain tokens,
// moved. A scheme whose bias is made from the content (CoPE) sees what stands between.
TEST(TokenOrder, ShowsWhatKnowsTheOrder) {
  const auto weightsOf = [](const std::string& scheme, TokenOrder order) {
    Request request;
    request.experiment.shape = shapeOf(8);
    request.experiment.shape.num_heads = 1;
    request.experiment.content = in(order);
    request.experiment.schemes = {SchemeChoice{scheme, {}, "", 0, true}};
    request.measures = {{"attention_weights", {}}};
    const auto result = compute(request, Job());
    EXPECT_TRUE(result && (*result)->answers[0][0].dataset);
    const Dataset& data = **(*result)->answers[0][0].dataset;
    std::vector<double> values;
    const Map& map = data.maps.front();
    for (std::int64_t i = 0; i < 8; ++i)
      for (std::int64_t j = 0; j < 8; ++j) values.push_back(map.field->at(i, j));
    return values;
  };
  const TokensInOrder order(TokenOrder::shuffled, 8, 0, 1);
  const auto moved = [&](const std::string& scheme) {
    const std::vector<double> plain = weightsOf(scheme, TokenOrder::plain);
    const std::vector<double> shuffled = weightsOf(scheme, TokenOrder::shuffled);
    double worst = 0;
    for (std::int64_t i = 0; i < 8; ++i)
      for (std::int64_t j = 0; j < 8; ++j)
        worst = std::max(worst, std::abs(shuffled[static_cast<std::size_t>(i * 8 + j)] -
                                         plain[static_cast<std::size_t>(order.at(i) * 8 + order.at(j))]));
    return worst;
  };
  EXPECT_LT(moved("none"), 1e-6);
  EXPECT_GT(moved("rope"), 1e-2);
  EXPECT_GT(moved("cope"), 1e-2);
}

}  // namespace
}  // namespace posiscope

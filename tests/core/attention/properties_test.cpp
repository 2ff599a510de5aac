// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel.h"
#include "core/random.h"
#include "tests/support/attending.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <numeric>

namespace posiscope {
namespace {

Shape shapeOf(std::int64_t keys, std::int64_t queries = 0) {
  Shape shape;
  shape.seq_len = keys;
  shape.seq_len_q = queries;
  shape.num_heads = 4;
  shape.num_kv_heads = 2;
  shape.head_dim = 8;
  shape.d_model = 32;
  return shape;
}

/// The rows [first, first + rows) of every head of an array [heads, all, width].
std::vector<double> rowsOf(const std::vector<double>& values, std::int64_t heads, std::int64_t first,
                           std::int64_t rows) {
  const std::int64_t each = static_cast<std::int64_t>(values.size()) / heads;
  std::vector<double> out;
  const auto width = [&](std::int64_t all) { return each / all; };
  const std::int64_t all = first + rows;
  for (std::int64_t h = 0; h < heads; ++h)
    out.insert(out.end(), values.begin() + h * each + first * width(all), values.begin() + (h + 1) * each);
  return out;
}

/// Schemes of every part of the encoding, with parameters for this shape.
struct Case {
  const char* id;
  ParamValues values;
  bool embeddings = false;
};
std::vector<Case> cases() {
  return {{"none", {}},
          {"rope", {}},
          {"alibi", {}},
          {"t5_log", {}},
          {"shaw", {{"max_relative_position", 5.0}}},
          {"transformer_xl", {{"clamp_len", 11.0}}},
          {"cope", {{"npos", 9.0}}},
          {"self_extend", {{"group", 3.0}, {"window", 7.0}}},
          {"sinusoidal", {}, true}};
}

attention::Attention<double> attended(const Case& c, const Content<double>& content, const Shape& shape) {
  Mask mask;
  mask.causal = true;
  const bool output = !content.v.empty() || !content.w_v.empty();
  return test::attending(test::encodingOf<double>(c.id, c.values, shape), content, mask, shape,
                         {false, true, output, {}});
}

void expectSame(const std::vector<double>& found, const std::vector<double>& wanted, const std::string& what) {
  ASSERT_EQ(found.size(), wanted.size()) << what;
  for (std::size_t e = 0; e < wanted.size(); ++e) ASSERT_NEAR(found[e], wanted[e], 1e-12) << what;
}

TEST(AttentionProperties, noBitDependsOnTheNumberOfThreads) {
  const int before = threads();
  const Shape shape = shapeOf(200);
  for (const Case& c : cases()) {
    const auto content = test::randomContent<float>(shape, c.embeddings);
    const auto encoding = test::encodingOf<float>(c.id, c.values, shape);
    setThreads(1);
    const auto one = test::attending(encoding, content, Mask{}, shape, {true, true, true, {}});
    setThreads(3);
    const auto three = test::attending(encoding, content, Mask{}, shape, {true, true, true, {}});
    EXPECT_EQ(one.logits, three.logits) << c.id;
    EXPECT_EQ(one.weights, three.weights) << c.id;
    EXPECT_EQ(one.output, three.output) << c.id;
  }
  setThreads(before);
}

TEST(AttentionProperties, lastQueriesAloneGiveTheLastRows) {
  const Shape whole = shapeOf(70);
  const Shape cached = shapeOf(70, 6);
  for (const Case& c : cases()) {
    Content<double> content = test::randomContent<double>(whole, c.embeddings);
    const auto all = attended(c, content, whole);
    if (!c.embeddings) content.q = rowsOf(content.q, 4, 64, 6);
    const auto last = attended(c, content, cached);
    expectSame(last.weights, rowsOf(all.weights, 4, 64, 6), c.id);
    expectSame(last.output, rowsOf(all.output, 4, 64, 6), c.id + std::string(" output"));
  }
}

TEST(AttentionProperties, underACausalMaskTheRowsOfAPrefixStay) {
  const std::int64_t whole = 70, part = 41;
  for (const Case& c : cases()) {
    const Shape long_shape = shapeOf(whole);
    const Shape short_shape = shapeOf(part);
    const Content<double> content = test::randomContent<double>(long_shape, c.embeddings);
    Content<double> prefix = content;
    const auto cut = [&](std::vector<double>& values, std::int64_t heads) {
      std::vector<double> out;
      for (std::int64_t h = 0; h < heads; ++h)
        out.insert(out.end(), values.begin() + h * whole * 8, values.begin() + (h * whole + part) * 8);
      values = out;
    };
    if (c.embeddings) {
      prefix.x.rows = part;
      prefix.x.values.resize(static_cast<std::size_t>(part * 32));
    } else {
      cut(prefix.q, 4);
      cut(prefix.k, 2);
    }
    prefix.v.clear();
    prefix.w_v = {};
    const auto all = attended(c, content, long_shape);
    const auto few = attended(c, prefix, short_shape);
    for (std::int64_t h = 0; h < 4; ++h)
      for (std::int64_t i = 0; i < part; ++i)
        for (std::int64_t j = 0; j < part; ++j)
          ASSERT_NEAR(few.weights[static_cast<std::size_t>((h * part + i) * part + j)],
                      all.weights[static_cast<std::size_t>((h * whole + i) * whole + j)], 1e-12)
              << c.id << " at " << i << ", " << j;
  }
}

TEST(AttentionProperties, oneTokenAlwaysGetsWeightOne) {
  for (const Case& c : cases()) {
    const Shape shape = shapeOf(1);
    const auto found = attended(c, test::randomContent<double>(shape, c.embeddings), shape);
    EXPECT_EQ(found.weights, std::vector<double>(4, 1.0)) << c.id;
  }
}

TEST(AttentionProperties, shiftingAllPositionsLeavesRelativeSchemesAlone) {
  Shape shape = shapeOf(40);
  Shape shifted = shape;
  shifted.first_position = 1000;
  for (const char* id : {"none", "rope", "alibi", "t5_log", "shaw", "transformer_xl", "cope"}) {
    const Case c{id, {}};
    const auto content = test::randomContent<double>(shape);
    const auto here = attended(c, content, shape);
    const auto there = attended(c, content, shifted);
    for (std::size_t e = 0; e < here.weights.size(); ++e) ASSERT_NEAR(here.weights[e], there.weights[e], 1e-9) << id;
  }
  const Case added{"sinusoidal", {}, true};
  const auto content = test::randomContent<double>(shape, true);
  EXPECT_NE(attended(added, content, shape).weights, attended(added, content, shifted).weights)
      << "an added table is absolute";
}

TEST(AttentionProperties, withoutPositionTheOrderOfTheTokensDoesNotMatter) {
  const Shape shape = shapeOf(30);
  const auto content = test::randomContent<double>(shape);
  std::vector<std::size_t> order(30);
  std::iota(order.begin(), order.end(), 0U);
  std::rotate(order.begin(), order.begin() + 11, order.end());
  std::swap(order[3], order[20]);
  Content<double> mixed = content;
  const auto permute = [&](const std::vector<double>& from, std::vector<double>& to, std::size_t heads) {
    for (std::size_t h = 0; h < heads; ++h)
      for (std::size_t t = 0; t < 30; ++t)
        std::copy_n(from.begin() + (h * 30 + order[t]) * 8, 8, to.begin() + (h * 30 + t) * 8);
  };
  permute(content.q, mixed.q, 4);
  permute(content.k, mixed.k, 2);
  const auto largest_change = [&](const char* id) {
    const auto encoding = test::encodingOf<double>(id, {}, shape);
    const auto before = test::attending(encoding, content, Mask{}, shape);
    const auto after = test::attending(encoding, mixed, Mask{}, shape);
    double change = 0;
    for (std::size_t h = 0; h < 4; ++h)
      for (std::size_t i = 0; i < 30; ++i)
        for (std::size_t j = 0; j < 30; ++j)
          change = std::max(change, std::abs(after.weights[(h * 30 + i) * 30 + j] -
                                             before.weights[(h * 30 + order[i]) * 30 + order[j]]));
    return change;
  };
  EXPECT_LE(largest_change("none"), 1e-14);
  EXPECT_GE(largest_change("rope"), 1e-2);
  EXPECT_GE(largest_change("alibi"), 1e-2);
}

}  // namespace
}  // namespace posiscope

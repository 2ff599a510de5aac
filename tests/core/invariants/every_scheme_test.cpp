// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What holds in attention whichever scheme it has; the few exceptions are named with their reason.
#include "core/parallel.h"
#include "tests/support/attending.h"

#include <algorithm>
#include <set>

namespace posiscope {
namespace {

constexpr std::int64_t heads = 4, key_heads = 2, head_dim = 8, columns = 10;

/// Tokens that are rows of ten patches as well.
Shape shapeOf(std::int64_t keys, std::int64_t queries = 0) {
  Shape shape;
  shape.seq_len = keys;
  shape.seq_len_q = queries;
  shape.num_heads = heads;
  shape.num_kv_heads = key_heads;
  shape.head_dim = head_dim;
  shape.d_model = heads * head_dim;
  shape.grid_width = std::min(keys, columns);
  shape.grid_height = keys / shape.grid_width;
  return shape;
}

/// Tokens [first, first + count) of an array [parts, tokens, width].
template <class T>
std::vector<T> cut(const std::vector<T>& values, std::int64_t parts, std::int64_t tokens, std::int64_t first,
                   std::int64_t count) {
  const std::int64_t width = std::ssize(values) / (parts * tokens);
  std::vector<T> out;
  for (std::int64_t p = 0; p < parts; ++p) {
    const auto begin = values.begin() + (p * tokens + first) * width;
    out.insert(out.end(), begin, begin + count * width);
  }
  return out;
}

Mask causal() {
  Mask mask;
  mask.causal = true;
  return mask;
}

void expectSame(const std::vector<double>& found, const std::vector<double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t e = 0; e < wanted.size(); ++e) ASSERT_NEAR(found[e], wanted[e], 1e-12) << e;
}

class AnyScheme : public testing::TestWithParam<const Scheme*> {
 protected:
  const std::string& id() const { return GetParam()->id(); }

  template <class T>
  Content<T> content(const Shape& shape) const {
    return test::randomContent<T>(shape, readsEmbeddings(test::encodingOf<T>(id(), {}, shape)));
  }
  template <class T>
  attention::Attention<T> attended(const Content<T>& content, const Mask& mask, const Shape& shape) const {
    return test::attending(test::encodingOf<T>(id(), {}, shape), content, mask, shape, {false, true, true, {}});
  }
};

TEST_P(AnyScheme, givesTheSameBitsOnAnyNumberOfThreads) {
  const int before = threads();
  const Shape shape = shapeOf(70);
  const auto tokens = content<float>(shape);
  setThreads(1);
  const auto one = attended(tokens, Mask{}, shape);
  for (const int count : {2, 3}) {
    setThreads(count);
    const auto several = attended(tokens, Mask{}, shape);
    EXPECT_EQ(one.weights, several.weights);
    EXPECT_EQ(one.output, several.output);
  }
  setThreads(before);
}

TEST_P(AnyScheme, givesATokenAloneTheWeightOne) {
  const Shape shape = shapeOf(1);
  const auto tokens = content<double>(shape);
  for (const Mask& mask : {Mask{}, causal()})
    EXPECT_EQ(attended(tokens, mask, shape).weights, std::vector<double>(heads, 1.0));
}

TEST_P(AnyScheme, hasRowsThatAddUpToOneAndNothingBehindTheMask) {
  const Shape shape = shapeOf(50);
  const auto tokens = content<double>(shape);
  const auto found = attended(tokens, causal(), shape);
  for (std::int64_t row = 0; row < heads * 50; ++row) {
    const std::span<const double> weights(found.weights.data() + row * 50, 50);
    double sum = 0;
    for (std::int64_t j = 0; j < 50; ++j) {
      const double weight = weights[static_cast<std::size_t>(j)];
      sum += weight;
      if (j > row % 50) {
        ASSERT_EQ(weight, 0) << row << ", " << j;
      }
    }
    ASSERT_NEAR(sum, 1, 1e-12) << row;
  }
}

TEST_P(AnyScheme, givesTheLastQueriesAloneTheLastRows) {
  const std::int64_t keys = 70, last = 7;
  const Shape whole = shapeOf(keys), cached = shapeOf(keys, last);
  // Windows and grids have as many queries as keys.
  static const std::set<std::string> all_queries{"decomposed_2d", "grid_bias", "swin", "swin_v2"};
  const bool refused = !GetParam()->check({}, cached);
  EXPECT_EQ(refused, all_queries.contains(id()));
  if (refused) return;
  Content<double> tokens = content<double>(whole);
  const auto all = attended(tokens, causal(), whole);
  tokens.q = tokens.q.empty() ? tokens.q : cut(tokens.q, heads, keys, keys - last, last);
  const auto few = attended(tokens, causal(), cached);
  expectSame(few.weights, cut(all.weights, heads, keys, keys - last, last));
  expectSame(few.output, cut(all.output, heads, keys, keys - last, last));
}

TEST_P(AnyScheme, leavesTheRowsOfAPrefixAloneUnderACausalMask) {
  // Tables of a grid of another size; a row that reads later tokens or patches; a mean over all keys; positions that
  // are a share of the length; positions drawn for all tokens together.
  static const std::set<std::string> others{"decomposed_2d", "grid_bias", "swin",    "swin_v2",     "conditional",
                                            "dynamic",       "hybrid",    "fourier", "position_ids"};
  const std::int64_t keys = 70, part = 40;
  const Shape whole = shapeOf(keys), beginning = shapeOf(part);
  Content<double> tokens = content<double>(whole);
  const auto all = attended(tokens, causal(), whole);
  if (tokens.q.empty()) {
    tokens.x = {part, tokens.x.cols, cut(tokens.x.values, 1, keys, 0, part)};
  } else {
    tokens.q = cut(tokens.q, heads, keys, 0, part);
    tokens.k = cut(tokens.k, key_heads, keys, 0, part);
    tokens.v = cut(tokens.v, key_heads, keys, 0, part);
  }
  const auto few = attended(tokens, causal(), beginning);
  double change = 0;
  const std::vector<double> wanted = cut(all.output, heads, keys, 0, part);
  ASSERT_EQ(few.output.size(), wanted.size());
  for (std::size_t e = 0; e < wanted.size(); ++e) change = std::max(change, std::abs(few.output[e] - wanted[e]));
  EXPECT_EQ(change > 1e-12, others.contains(id())) << change;
}

std::vector<const Scheme*> allSchemes() {
  std::vector<const Scheme*> all;
  for (const Scheme& scheme : schemes::catalogue()) all.push_back(&scheme);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Invariants, AnyScheme, testing::ValuesIn(allSchemes()),
                         [](const auto& scheme) { return scheme.param->id(); });

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/attention.h"
#include "core/stored_bytes.h"
#include "tests/support/attending.h"
#include "tests/support/reference.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

using attention::attend;
using attention::Wanted;

template <class T>
class Attend : public testing::Test {
 protected:
  static double tolerance() { return std::is_same_v<T, float> ? 2e-5 : 1e-12; }

  static void expectNear(const std::vector<T>& found, const std::vector<double>& wanted, const std::string& what) {
    ASSERT_EQ(found.size(), wanted.size()) << what;
    double worst = 0;
    for (std::size_t e = 0; e < found.size(); ++e)
      worst = std::max(worst, std::abs(static_cast<double>(found[e]) - wanted[e]));
    EXPECT_LE(worst, tolerance()) << what;
  }
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(Attend, Scalars);

Shape shapeOf(std::int64_t keys, std::int64_t queries, std::int64_t heads = 2, std::int64_t kv_heads = 0,
              std::int64_t dim = 7) {
  Shape shape;
  shape.seq_len = keys;
  shape.seq_len_q = queries;
  shape.num_heads = heads;
  shape.num_kv_heads = kv_heads;
  shape.head_dim = dim;
  shape.d_model = heads * dim;
  return shape;
}

Mask causal() {
  Mask mask;
  mask.causal = true;
  return mask;
}

TYPED_TEST(Attend, equalsTheDefinitionForAwkwardSizes) {
  using T = TypeParam;
  for (const std::int64_t length : {1, 3, 63, 64, 65, 130}) {
    for (const std::int64_t queries : {length, std::int64_t{1}}) {
      for (const bool masked : {false, true}) {
        const Shape shape = shapeOf(length, queries);
        const Mask mask = masked ? causal() : Mask{};
        const auto content = test::randomContent<T>(shape);
        const auto encoding = test::plainEncoding<T>(shape);
        const auto found = test::attending(encoding, content, mask, shape, {true, true, true, {}});
        const auto wanted =
            test::naiveAttention(shape, mask, encoding.logit_scale, content.q, content.k, content.v, content.value_dim);
        const std::string what = join(queries, " of ", length, masked ? " causal" : "");
        this->expectNear(found.logits, wanted.logits, what + " logits");
        this->expectNear(found.weights, wanted.weights, what + " weights");
        this->expectNear(found.output, wanted.output, what + " output");
      }
    }
  }
}

TYPED_TEST(Attend, addsBothKindsOfBias) {
  using T = TypeParam;
  const Shape shape = shapeOf(70, 66);
  const auto content = test::randomContent<T>(shape);
  const auto value = [&](std::int64_t h, std::int64_t i, std::int64_t j) {
    const auto n = static_cast<double>(i + shape.queryOffset() - j);
    return 0.1 * static_cast<double>(h + 1) * n + (n > 0 ? 0.5 : 0.0);
  };
  const auto wanted = test::naiveAttention<T>(shape, causal(), 0.25, content.q, content.k, {}, 0, value);
  Encoding<T> encoding;
  encoding.logit_scale = 0.25;
  OffsetBias<T> offsets{2, 69, {}};
  for (std::int64_t h = 0; h < 2; ++h)
    for (std::int64_t n = -69; n <= 69; ++n) offsets.values.push_back(static_cast<T>(value(h, 0, 4 - n)));
  encoding.logits.bias = offsets;
  const auto by_offset = test::attending(encoding, content, causal(), shape, {true, true, false, {}});
  this->expectNear(by_offset.logits, wanted.logits, "offset logits");
  this->expectNear(by_offset.weights, wanted.weights, "offset weights");

  encoding.logits.bias = PairBias<T>{[&](std::int64_t h, std::int64_t i, std::span<T> row) {
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = static_cast<T>(value(h, i, static_cast<std::int64_t>(j)));
  }};
  const auto by_pair = test::attending(encoding, content, causal(), shape, {false, true, false, {}});
  this->expectNear(by_pair.weights, wanted.weights, "pair weights");
  EXPECT_TRUE(by_pair.logits.empty()) << "only what is wanted is stored";
}

TYPED_TEST(Attend, repeatsKeyHeadsForGroupsOfQueries) {
  using T = TypeParam;
  const Shape shape = shapeOf(20, 20, 6, 2);
  const auto content = test::randomContent<T>(shape);
  const auto encoding = test::plainEncoding<T>(shape);
  const auto wanted = test::naiveAttention(shape, causal(), encoding.logit_scale, content.q, content.k, content.v, 7);
  const auto found = test::attending(encoding, content, causal(), shape, {false, true, true, {}});
  this->expectNear(found.weights, wanted.weights, "weights");
  this->expectNear(found.output, wanted.output, "output");
}

TYPED_TEST(Attend, computesOnlyTheWantedHeads) {
  using T = TypeParam;
  const Shape shape = shapeOf(33, 33, 4, 2);
  const auto content = test::randomContent<T>(shape);
  const auto encoding = test::encodingOf<T>("rope", {{"rotary_dim", 6.0}}, shape);
  const auto all = test::attending(encoding, content, causal(), shape);
  const auto some = test::attending(encoding, content, causal(), shape, {false, true, false, {3, 0}});
  ASSERT_EQ(some.heads, 2);
  const std::size_t size = 33 * 33;
  ASSERT_EQ(some.weights.size(), 2 * size);
  EXPECT_TRUE(std::equal(some.weights.begin(), some.weights.begin() + size, all.weights.begin() + 3 * size));
  EXPECT_TRUE(std::equal(some.weights.begin() + size, some.weights.end(), all.weights.begin()));
}

TYPED_TEST(Attend, projectsEmbeddingsByContiguousHeadBlocks) {
  using T = TypeParam;
  const Shape shape = shapeOf(67, 65, 2, 1, 4);
  const auto content = test::randomContent<T>(shape, true);
  ASSERT_EQ(content.x.rows, 67);
  const auto projected = [&](const Table<T>& w, std::int64_t heads, std::int64_t first_token) {
    std::vector<double> out;
    for (std::int64_t h = 0; h < heads; ++h)
      for (std::int64_t t = first_token; t < 67; ++t)
        for (std::int64_t d = 0; d < 4; ++d) {
          double sum = 0;
          for (std::size_t c = 0; c < 8; ++c)
            sum += static_cast<double>(content.x.row(t)[c]) * static_cast<double>(w.row(h * 4 + d)[c]);
          out.push_back(sum);
        }
    return out;
  };
  const auto encoding = test::plainEncoding<T>(shape);
  const auto wanted = test::naiveAttention(shape, Mask{}, encoding.logit_scale, projected(content.w_q, 2, 2),
                                           projected(content.w_k, 1, 0), projected(content.w_v, 1, 0), 4);
  const auto found = test::attending(encoding, content, Mask{}, shape, {true, true, true, {}});
  this->expectNear(found.logits, wanted.logits, "logits");
  this->expectNear(found.output, wanted.output, "output");
}

TYPED_TEST(Attend, usesColumnsOfTheEmbeddingsWithoutProjections) {
  using T = TypeParam;
  const Shape shape = shapeOf(5, 5);
  Content<T> content;
  content.x = test::randomContent<T>(shape, true).x;
  std::vector<T> q;
  for (std::int64_t h = 0; h < 2; ++h)
    for (std::int64_t t = 0; t < 5; ++t)
      for (std::int64_t d = 0; d < 7; ++d) q.push_back(content.x.row(t)[static_cast<std::size_t>(h * 7 + d)]);
  const auto wanted = test::naiveAttention(shape, causal(), 1.0, q, q, q, 7);
  Encoding<T> encoding;
  const auto found = test::attending(encoding, content, causal(), shape, {false, true, true, {}});
  this->expectNear(found.weights, wanted.weights, "weights");
  this->expectNear(found.output, wanted.output, "output");
}

TEST(AttendRows, sumToOneOrAreZeroAndMaskedWeightsAreExactlyZero) {
  const Shape shape = shapeOf(100, 90);
  Mask mask;
  mask.causal = true;
  mask.window = 9;
  mask.prefix = 2;
  mask.key_padding.assign(100, 1);
  for (std::size_t j = 0; j < 25; ++j) mask.key_padding[j] = 0;
  mask.query_padding.assign(90, 1);
  mask.query_padding[89] = 0;
  const auto found = test::attending(test::plainEncoding<float>(shape), test::randomContent<float>(shape), mask, shape);
  std::int64_t empty = 0;
  for (std::int64_t r = 0; r < 2 * 90; ++r) {
    double sum = 0;
    bool any = false;
    for (std::int64_t j = 0; j < 100; ++j) {
      const float weight = found.weights[static_cast<std::size_t>(r * 100 + j)];
      const bool allowed = mask.allows(shape, r % 90, j);
      any = any || allowed;
      if (!allowed) {
        EXPECT_EQ(weight, 0.0F);
      }
      sum += static_cast<double>(weight);
    }
    EXPECT_NEAR(sum, any ? 1.0 : 0.0, 1e-6);
    if (r < 90 && !any) ++empty;
  }
  EXPECT_EQ(empty, 16) << "queries at positions 10 … 24 see padding only, the last one is padding";
  EXPECT_EQ(found.empty_rows, empty);
}

TEST(AttendRows, withoutAnyKeyGiveNoOutput) {
  const Shape shape = shapeOf(4, 4);
  Mask mask;
  mask.key_padding.assign(4, 0);
  const auto found = test::attending(test::plainEncoding<float>(shape), test::randomContent<float>(shape), mask, shape,
                                     {false, true, true, {}});
  EXPECT_EQ(found.empty_rows, 4);
  for (const float weight : found.weights) EXPECT_EQ(weight, 0.0F);
  for (const float value : found.output) EXPECT_EQ(value, 0.0F);
}

TEST(AttendInto, usesItsMemoryAgainAndLeavesNothingOfTheLastAnswer) {
  const Shape shape = shapeOf(65, 65);
  const auto content = test::randomContent<float>(shape);
  const auto encoding = test::plainEncoding<float>(shape);
  attention::Attention<float> out;
  const Wanted wanted{false, true, true, {}};
  ASSERT_TRUE(attention::attendInto(encoding, content, Mask{}, shape, wanted, Job(), out));
  const float* memory = out.weights.data();
  ASSERT_TRUE(attention::attendInto(encoding, content, causal(), shape, wanted, Job(), out));
  EXPECT_EQ(out.weights.data(), memory);
  const auto fresh = test::attending(encoding, content, causal(), shape, wanted);
  EXPECT_EQ(out.weights, fresh.weights);
  EXPECT_EQ(out.output, fresh.output);
}

class AttendRefuses : public testing::Test {
 protected:
  static void expectCode(ErrorCode code, const Encoding<float>& encoding, const Content<float>& content,
                         const Shape& shape, const Wanted& wanted = {}, const Mask& mask = {}, const Job& job = {}) {
    const auto result = attend(encoding, content, mask, shape, wanted, job);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, code) << result.error().message.en;
    EXPECT_FALSE(result.error().message.zh.empty());
  }
  const Shape shape_ = shapeOf(8, 8);
  const Encoding<float> plain_ = test::plainEncoding<float>(shape_);
};

TEST_F(AttendRefuses, aStoppedJob) {
  const Job job;
  job.stop();
  expectCode(ErrorCode::cancelled, plain_, test::randomContent<float>(shape_), shape_, {}, {}, job);
}

TEST_F(AttendRefuses, toGoOnWhenStoppedInTheMiddle) {
  const Job job;
  Encoding<float> encoding = plain_;
  encoding.logits.bias = PairBias<float>{[job](std::int64_t, std::int64_t, std::span<float> row) {
    job.stop();
    std::ranges::fill(row, 0.0F);
  }};
  expectCode(ErrorCode::cancelled, encoding, test::randomContent<float>(shape_), shape_, {}, {}, job);
}

TEST_F(AttendRefuses, contentOfAnotherShape) {
  Content<float> content = test::randomContent<float>(shape_);
  content.k.pop_back();
  expectCode(ErrorCode::bad_shape, plain_, content, shape_);
  expectCode(ErrorCode::bad_shape, plain_, test::randomContent<float>(shape_, true), shapeOf(9, 9));
  content = test::randomContent<float>(shape_, true);
  content.w_k.rows -= 1;
  expectCode(ErrorCode::bad_shape, plain_, content, shape_);
}

TEST_F(AttendRefuses, anAddedTableWithoutEmbeddings) {
  Encoding<float> encoding = plain_;
  encoding.input.table = makeTable<float>(8, 14);
  expectCode(ErrorCode::bad_shape, encoding, test::randomContent<float>(shape_), shape_);
}

TEST_F(AttendRefuses, outputWithoutValues) {
  Content<float> content = test::randomContent<float>(shape_);
  content.v.clear();
  expectCode(ErrorCode::bad_shape, plain_, content, shape_, {false, false, true, {}});
}

TEST_F(AttendRefuses, headsAndMasksThatDoNotExist) {
  expectCode(ErrorCode::bad_shape, plain_, test::randomContent<float>(shape_), shape_, {false, true, false, {2}});
  Mask mask;
  mask.key_padding = {1, 1, 1};
  expectCode(ErrorCode::bad_shape, plain_, test::randomContent<float>(shape_), shape_, {}, mask);
}

TEST_F(AttendRefuses, aMapWithoutRoomBeforeAnythingIsMade) {
  const double limit = memoryLimit();
  const Content<float> content = test::randomContent<float>(shape_, true);
  Encoding<float> encoding = plain_;
  bool made = false;
  encoding.input.transform = [&made](Rows<float> x, std::span<float> out) {
    made = true;
    std::copy_n(x.data, std::ssize(out), out.begin());
  };
  // Room for the embeddings with their position, q and k, but not for the weights.
  const auto inputs = static_cast<double>(3 * 8 * shape_.num_heads * shape_.head_dim) * sizeof(float);
  setMemoryLimit(storedBytes(encoding) + storedBytes(content) + inputs);
  expectCode(ErrorCode::too_large, encoding, content, shape_);
  setMemoryLimit(limit);
  EXPECT_FALSE(made);
  EXPECT_TRUE(attend(encoding, content, {}, shape_, {}, Job()));
  EXPECT_TRUE(made);
}

TEST_F(AttendRefuses, whatDoesNotFitIntoMemory) {
  const double limit = memoryLimit();
  const Content<float> content = test::randomContent<float>(shape_);
  const double weights = 2 * 8 * 8 * sizeof(float);
  setMemoryLimit(storedBytes(content) + weights - 1);
  expectCode(ErrorCode::too_large, plain_, content, shape_);
  setMemoryLimit(storedBytes(content) + weights);
  EXPECT_TRUE(attend(plain_, content, {}, shape_, {}, Job()));
  setMemoryLimit(limit);
}

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Self-Extend, ReRoPE, Leaky ReRoPE and dual chunk attention.
#include "core/position_map.h"
#include "core/query_factor.h"
#include "tests/support/attending.h"
#include "tests/support/encoded.h"

#include <gtest/gtest.h>

#include <cmath>

namespace posiscope {
namespace {

Shape shapeOf(std::int64_t length, std::int64_t queries = 0) {
  Shape shape;
  shape.seq_len = length;
  shape.seq_len_q = queries;
  shape.num_heads = 3;
  shape.head_dim = 6;
  return shape;
}

Mask causal() {
  Mask mask;
  mask.causal = true;
  return mask;
}

struct Mapped {
  const char* id;
  ParamValues values;
  PositionMap map;
};
std::vector<Mapped> mapped(std::int64_t length) {
  const TokenRun tokens{length, 0};
  return {{"self_extend", {{"group", 3.0}, {"window", 5.0}}, selfExtendMap(tokens, 3, 5)},
          {"rerope", {{"window", 4.0}}, reropeMap(tokens, 4)},
          {"leaky_rerope", {{"window", 4.0}, {"factor", 2.5}}, leakyReropeMap(tokens, 4, 2.5)},
          {"dual_chunk", {{"chunk_size", 11.0}, {"local_size", 4.0}}, dualChunkMap(tokens, 11, 4)}};
}

TEST(WholeHeadRotations, refuseAnOddHeadByTheNameItHas) {
  Shape shape = shapeOf(9);
  shape.head_dim = 7;
  for (const std::string id : {"rerope", "leaky_rerope", "self_extend", "dual_chunk", "fope", "position_ids", "rope"})
    EXPECT_EQ(test::refusal(id, {}, shape), id + ": head_dim must be even where the whole head turns in pairs, got 7");
  EXPECT_EQ(test::refusal("rope", {{"rotary_share", 0.5}}, shape),
            "rope: rotary_dim must be an even number from 2 to head_dim, got 3 (head_dim 7 × rotary_share 0.5)");
}

/// Re Σ_k (q k̄)_k e^{j·m·w_k}/√d by the definition.
double scoreByAngle(std::span<const double> q, std::span<const double> k, double m, bool half) {
  const std::size_t pairs = q.size() / 2;
  double sum = 0;
  for (std::size_t p = 0; p < pairs; ++p) {
    const std::size_t a = half ? p : 2 * p, b = half ? p + pairs : 2 * p + 1;
    const double angle = m * std::pow(10000.0, -static_cast<double>(p) / static_cast<double>(pairs));
    sum += (q[a] * k[a] + q[b] * k[b]) * std::cos(angle) + (q[a] * k[b] - q[b] * k[a]) * std::sin(angle);
  }
  return sum / std::sqrt(static_cast<double>(q.size()));
}

TEST(MappedRotation, scoresAreOneRotationByTheMappedDistance) {
  const Shape shape = shapeOf(31, 17);
  const auto content = test::randomContent<double>(shape);
  for (const bool half : {false, true})
    for (Mapped& scheme : mapped(31)) {
      scheme.values["pairing"] = std::string(half ? "half" : "interleaved");
      const auto found = test::attending(test::encodingOf<double>(scheme.id, scheme.values, shape), content, causal(),
                                         shape, {true, false, false, {}});
      std::size_t e = 0;
      for (std::int64_t h = 0; h < 3; ++h)
        for (std::int64_t i = 0; i < 17; ++i)
          for (std::int64_t j = 0; j < 31; ++j, ++e) {
            const std::span<const double> q(content.q.data() + (h * 17 + i) * 6, 6);
            const std::span<const double> k(content.k.data() + (h * 31 + j) * 6, 6);
            ASSERT_NEAR(found.logits[e], scoreByAngle(q, k, scheme.map.at(i + 14, j), half), 1e-12)
                << scheme.id << " " << i << " " << j;
          }
    }
}

TEST(MappedRotation, isPlainRopeWhileEverythingFits) {
  for (const std::int64_t length : {1, 2, 4}) {
    const Shape shape = shapeOf(length);
    const auto content = test::randomContent<double>(shape);
    const auto rope = test::attending(test::encodingOf<double>("rope", {}, shape), content, causal(), shape);
    for (const Mapped& scheme : mapped(length)) {
      const auto found =
          test::attending(test::encodingOf<double>(scheme.id, scheme.values, shape), content, causal(), shape);
      for (std::size_t e = 0; e < rope.weights.size(); ++e)
        ASSERT_NEAR(found.weights[e], rope.weights[e], 1e-12) << scheme.id;
    }
  }
}

TEST(MappedRotation, groupOneIsPlainRope) {
  const Shape shape = shapeOf(40);
  const auto content = test::randomContent<double>(shape);
  const auto rope = test::attending(test::encodingOf<double>("rope", {}, shape), content, causal(), shape);
  const auto found = test::attending(test::encodingOf<double>("self_extend", {{"group", 1.0}, {"window", 5.0}}, shape),
                                     content, causal(), shape);
  for (std::size_t e = 0; e < rope.weights.size(); ++e) ASSERT_NEAR(found.weights[e], rope.weights[e], 1e-12);
}

TEST(MappedRotation, laterTokensChangeNoEarlierRow) {
  const Shape whole = shapeOf(30), part = shapeOf(19);
  const auto content = test::randomContent<double>(whole);
  auto cut = content;
  cut.q.clear();
  cut.k.clear();
  cut.v.clear();
  for (std::int64_t h = 0; h < 3; ++h)
    for (auto [from, to] : {std::pair{&content.q, &cut.q}, {&content.k, &cut.k}})
      to->insert(to->end(), from->begin() + h * 30 * 6, from->begin() + h * 30 * 6 + 19 * 6);
  for (const Mapped& scheme : mapped(30)) {
    const auto all =
        test::attending(test::encodingOf<double>(scheme.id, scheme.values, whole), content, causal(), whole);
    const auto some = test::attending(test::encodingOf<double>(scheme.id, scheme.values, part), cut, causal(), part);
    for (std::size_t h = 0; h < 3; ++h)
      for (std::size_t i = 0; i < 19; ++i)
        for (std::size_t j = 0; j <= i; ++j)
          ASSERT_NEAR(some.weights[(h * 19 + i) * 19 + j], all.weights[(h * 30 + i) * 30 + j], 1e-13) << scheme.id;
  }
}

TEST(MappedRotation, logNScalesTheQueries) {
  const Shape shape = shapeOf(20);
  for (Mapped& scheme : mapped(20)) {
    scheme.values["logn_length"] = 8.0;
    const auto encoding = test::encoded(scheme.id, scheme.values, shape);
    ASSERT_EQ(encoding.query_factor.size(), 20u);
    EXPECT_EQ(encoding.query_factor[7], 1.0);
    EXPECT_NEAR(encoding.query_factor[19], std::log(20.0) / std::log(8.0), 1e-15);
    EXPECT_FALSE(encoding.offset_only);
  }
}

TEST(MappedRotation, onlyReropeIsAFunctionOfTheOffset) {
  const Shape shape = shapeOf(20);
  EXPECT_TRUE(test::encoded("rerope", {}, shape).offset_only);
  EXPECT_TRUE(test::encoded("leaky_rerope", {}, shape).offset_only);
  EXPECT_FALSE(test::encoded("self_extend", {}, shape).offset_only);
  EXPECT_FALSE(test::encoded("dual_chunk", {}, shape).offset_only);
}

TEST(MappedRotation, refusesWhatCannotTurn) {
  Shape odd = shapeOf(4);
  odd.head_dim = 7;
  for (const char* id : {"self_extend", "rerope", "leaky_rerope", "dual_chunk"}) {
    EXPECT_EQ(schemes::find(id)->check({}, odd).error().code, ErrorCode::bad_shape) << id;
    EXPECT_EQ(test::refusal(id, {{"logn_length", 1.0}}, shapeOf(4)),
              join(id, ": logn_length must be 0 or at least 2, got 1"));
  }
  EXPECT_EQ(test::refusal("dual_chunk", {{"chunk_size", 4.0}, {"local_size", 4.0}}, shapeOf(4)),
            "dual_chunk: local_size must be below chunk_size 4, got 4");
}

}  // namespace
}  // namespace posiscope

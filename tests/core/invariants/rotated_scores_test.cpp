// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rotations that are not alone in the score: a decay, an unrotated part, mixed frequencies.
#include "core/schemes/fope.h"
#include "tests/core/invariants/scores.h"
#include "tests/support/rotated.h"

namespace posiscope {
namespace {

using test::scoreOf;
using test::turned;

constexpr int trials = 30;
const std::string interleaved = "interleaved", half = "half";

Shape shapeOf(std::int64_t heads, std::int64_t dim, std::int64_t tokens) {
  Shape shape;
  shape.num_heads = heads;
  shape.head_dim = dim;
  shape.seq_len = tokens;
  return shape;
}

/// Zeros except for one pair.
std::vector<double> onlyPair(const std::vector<double>& x, const RotationPart& r, std::int64_t pair) {
  std::vector<double> out(x.size());
  for (const std::int64_t d : {r.firstDim(pair), r.secondDim(pair)})
    out[static_cast<std::size_t>(d)] = x[static_cast<std::size_t>(d)];
  return out;
}

/// Each pair of xPos is that of RoPE times ζ^(n/B), wherever the centre is.
TEST(RotatedScoreInvariants, pairsOfXposDecayWithTheOffset) {
  test::Drawn drawn("xpos");
  for (int t = 0; t < trials; ++t) {
    const Shape shape = shapeOf(1, drawn.oneOf<std::int64_t>({2, 4, 10, 34}), drawn.oneOf<std::int64_t>({1, 2, 7, 19}));
    const ParamValues turn{{"base", drawn.logarithmic(10, 1e6)}, {"pairing", drawn.oneOf({interleaved, half})}};
    const double gamma = drawn.logarithmic(0.05, 2), distance = drawn.logarithmic(20, 2000);
    ParamValues values = turn;
    values["gamma"] = gamma;
    values["scale_base"] = distance;
    values["center_at"] = drawn.oneOf<std::string>({"floor", "ceil", "position"});
    values["center"] = drawn.between(-20, 40);
    const RotationPart r = test::rotationOf("xpos", values, shape), plain = test::rotationOf("rope", turn, shape);
    const std::vector<double> x = drawn.normals(shape.head_dim), y = drawn.normals(shape.head_dim);
    for (std::int64_t i = 0; i < shape.seq_len; ++i) {
      EXPECT_NEAR(scoreOf(r, x, y, i, i), test::dotOf(x, y), 1e-11) << "nothing decays at its own place";
      for (std::int64_t j = 0; j < shape.seq_len; ++j)
        for (std::int64_t p = 0; p < r.pairs(); ++p) {
          const double zeta = (static_cast<double>(2 * p) / static_cast<double>(shape.head_dim) + gamma) / (1 + gamma);
          const double factor = std::pow(zeta, static_cast<double>(i - j) / distance);
          const std::vector<double> q = onlyPair(x, r, p), k = onlyPair(y, r, p);
          ASSERT_NEAR(scoreOf(r, q, k, i, j), factor * scoreOf(plain, q, k, i, j), 1e-11 * std::max(1.0, factor))
              << "pair " << p << ", " << i << ", " << j;
        }
    }
  }
}

TEST(RotatedScoreInvariants, dimensionsThatXposLeavesOutPass) {
  test::Drawn drawn("xpos share");
  const Shape shape = shapeOf(1, 12, 9);
  const RotationPart r = test::rotationOf("xpos", {{"rotary_dim", 4.0}, {"scale_base", 20.0}}, shape);
  const std::vector<double> x = drawn.normals(12);
  for (std::int64_t i = 0; i < 9; ++i)
    for (const bool key : {false, true}) {
      const std::vector<double> after = turned(r, x, i, 0, key);
      EXPECT_TRUE(std::equal(x.begin() + 4, x.end(), after.begin() + 4)) << i;
      EXPECT_EQ(std::abs(test::dotOf(after, after) - test::dotOf(x, x)) < 1e-9, i == 4) << "all but the centre: " << i;
    }
}

/// The queries with the dimensions [first, last) of every head set to zero.
Content<double> without(Content<double> content, const Shape& shape, std::int64_t first, std::int64_t last) {
  for (std::size_t e = 0; e < content.q.size(); ++e) {
    const std::int64_t d = static_cast<std::int64_t>(e) % shape.head_dim;
    if (d >= first && d < last) content.q[e] = 0;
  }
  return content;
}

TEST(RotatedScoreInvariants, decoupledPartsAddUpAndOnlyOneOfThemTurns) {
  test::Drawn drawn("decoupled");
  for (int t = 0; t < trials; ++t) {
    Shape shape = shapeOf(drawn.oneOf<std::int64_t>({1, 3}), drawn.oneOf<std::int64_t>({4, 6, 12}),
                          drawn.oneOf<std::int64_t>({1, 2, 7, 19}));
    const auto turning = drawn.oneOf<std::int64_t>({2, 4, shape.head_dim}), fixed = shape.head_dim - turning;
    const ParamValues values{{"rotary_dim", static_cast<double>(turning)},
                             {"base", drawn.logarithmic(10, 1e6)},
                             {"pairing", drawn.oneOf({interleaved, half})},
                             {"scaling", drawn.oneOf<std::string>({"none", "linear", "yarn"})},
                             {"factor", drawn.logarithmic(1, 40)},
                             {"mscale", 0.7},
                             {"mscale_all_dim", drawn.oneOf({0.0, 0.7, 1.0})}};
    SCOPED_TRACE(testing::Message() << turning << " of " << shape.head_dim << ", " << shape.seq_len << " tokens");
    const Content<double> content = test::drawnContent(drawn, shape);
    const Content<double> contents = without(content, shape, fixed, shape.head_dim);
    const Content<double> positions = without(content, shape, 0, fixed);
    const auto here = test::encodingOf<double>("rope_decoupled", values, shape);
    const auto all = test::logitsOf(here, content, shape), still = test::logitsOf(here, contents, shape);
    const auto turned_part = test::logitsOf(here, positions, shape);
    for (std::size_t e = 0; e < all.size(); ++e) ASSERT_NEAR(all[e], still[e] + turned_part[e], 1e-12);
    auto plain = test::encodingOf<double>("none", {}, shape);
    plain.logit_scale = here.logit_scale;
    EXPECT_LT(test::farthestApart(still, test::logitsOf(plain, contents, shape)), 1e-12);
    const double turns = test::farthestApart(turned_part, test::logitsOf(plain, positions, shape));
    EXPECT_TRUE(shape.seq_len == 1 || turns > 1e-3) << turns;
    shape.first_position = drawn.between(-500, 500);
    const auto there = test::encodingOf<double>("rope_decoupled", values, shape);
    EXPECT_EQ(test::logitsOf(there, contents, shape), still);
    EXPECT_LT(test::farthestApart(test::logitsOf(there, positions, shape), turned_part), 1e-10);
  }
}

TEST(RotatedScoreInvariants, decoupledEndsAreNoPositionAndPlainRope) {
  test::Drawn drawn("decoupled ends");
  for (const std::int64_t dim : {2, 6, 12}) {
    const Shape shape = shapeOf(3, dim, 7);
    const Content<double> content = test::drawnContent(drawn, shape);
    const auto logits = [&](const char* id, const ParamValues& values) {
      return test::logitsOf(test::encodingOf<double>(id, values, shape), content, shape);
    };
    EXPECT_EQ(logits("rope_decoupled", {{"rotary_share", 0.0}}), logits("none", {}));
    EXPECT_EQ(logits("rope", {{"rotary_share", 0.0}}), logits("none", {}));
    EXPECT_EQ(logits("rope", {{"rotary_share", 0.0}, {"scaling", std::string("yarn")}, {"factor", 4.0}}),
              logits("none", {}))
        << "the attention factor is on cos and sin, of which there are none";
    EXPECT_EQ(logits("rope_decoupled", {{"rotary_share", 1.0}}), logits("rope", {}));
    EXPECT_NE(logits("rope", {}), logits("none", {}));
  }
}

/// How far the scores of equal tokens are from a function of the offset alone.
double beyondTheOffset(const ParamValues& values, const Shape& shape, std::int64_t head, test::Drawn& drawn) {
  const std::vector<double> q = drawn.normals(shape.head_dim), k = drawn.normals(shape.head_dim);
  Content<double> equal;
  for (std::int64_t t = 0; t < shape.num_heads * shape.seq_len; ++t) {
    equal.q.insert(equal.q.end(), q.begin(), q.end());
    equal.k.insert(equal.k.end(), k.begin(), k.end());
  }
  const auto logits = test::logitsOf(test::encodingOf<double>("fope", values, shape), equal, shape);
  return test::alongDiagonals(test::rowsOfHead(logits, shape, head));
}

TEST(RotatedScoreInvariants, fopeIsOfTheOffsetOnlyWhereItsMatricesAreOneDiagonal) {
  test::Drawn drawn("fope");
  for (int t = 0; t < trials; ++t) {
    const Shape shape = shapeOf(2, drawn.oneOf<std::int64_t>({8, 10, 34}), drawn.oneOf<std::int64_t>({5, 12, 24}));
    schemes::FopeParams p;
    p.base = drawn.logarithmic(100, 1e6);
    p.train_length = std::round(drawn.logarithmic(200, 4096));
    const std::int64_t kept = std::ssize(schemes::fopeKept(p, shape.head_dim));
    ASSERT_GE(kept, 2);
    const auto matrices = [&](bool diagonal) {
      std::vector<double> values = drawn.normals(2 * kept * kept);
      for (std::int64_t e = 0; diagonal && e < std::ssize(values); ++e)
        if (e / kept % kept != e % kept) values[static_cast<std::size_t>(e)] = 0;
      return makeArray({2, kept, kept}, std::move(values));
    };
    const auto apart = [&](const Array& cosines, const Array& sines) {
      const ParamValues values{{"base", p.base},
                               {"train_length", p.train_length},
                               {"pad_sin", drawn.oneOf({0.0, 1.0})},
                               {"pairing", drawn.oneOf({interleaved, half})},
                               {"cos_coef", cosines},
                               {"sin_coef", sines}};
      return beyondTheOffset(values, shape, drawn.oneOf<std::int64_t>({0, 1}), drawn);
    };
    const Array diagonal = matrices(true), full = matrices(false);
    EXPECT_LT(apart(diagonal, diagonal), 1e-10);
    EXPECT_GT(apart(diagonal, matrices(true)), 1e-3) << "cosines and sines of different lengths";
    EXPECT_GT(apart(full, full), 1e-3);
  }
}

}  // namespace
}  // namespace posiscope

// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/random.h"
#include "tests/support/attending.h"
#include "tests/support/encoded.h"

#include <gtest/gtest.h>

#include <cmath>

namespace posiscope {
namespace {

constexpr std::int64_t heads = 3, length = 9, dim = 5;

Shape shapeOf(std::int64_t queries = 0) {
  Shape shape;
  shape.seq_len = length;
  shape.seq_len_q = queries;
  shape.num_heads = heads;
  shape.head_dim = dim;
  shape.d_model = heads * dim;
  return shape;
}

Mask causal() {
  Mask mask;
  mask.causal = true;
  return mask;
}

/// Unit vectors and strengths of all heads and tokens.
struct Given {
  std::vector<double> w, beta;

  ParamValues values() const {
    return {{"w", makeArray({heads, length, dim}, w)}, {"beta", makeArray({heads, length}, beta)}};
  }
};
Given drawGiven(double beta) {
  const Stream stream(5, "test/path");
  Given g;
  for (std::int64_t row = 0; row < heads * length; ++row) {
    double square = 0;
    std::vector<double> w;
    for (std::int64_t d = 0; d < dim; ++d) {
      w.push_back(stream.normal(static_cast<std::uint64_t>(row * dim + d)));
      square += w.back() * w.back();
    }
    for (const double v : w) g.w.push_back(v / std::sqrt(square));
    g.beta.push_back(beta >= 0 ? beta : 2 * stream.unit(static_cast<std::uint64_t>(1000 + row), 0));
  }
  return g;
}

std::vector<double> logitsOf(const Given& g, const Content<double>& content, const Shape& shape) {
  return test::attending(test::encoded("path", g.values(), shape), content, causal(), shape, {true, false, false, {}})
      .logits;
}

/// The key carried forward through H_{j+1} … H_i: the product from the other end.
double byKey(const Given& g, const Content<double>& content, std::int64_t h, std::int64_t i, std::int64_t j) {
  std::vector<double> v(content.k.begin() + (h * length + j) * dim, content.k.begin() + (h * length + j + 1) * dim);
  for (std::int64_t t = j + 1; t <= i; ++t) {
    const double* w = g.w.data() + (h * length + t) * dim;
    double along = 0;
    for (std::int64_t d = 0; d < dim; ++d) along += v[static_cast<std::size_t>(d)] * w[d];
    for (std::int64_t d = 0; d < dim; ++d)
      v[static_cast<std::size_t>(d)] -= g.beta[static_cast<std::size_t>(h * length + t)] * along * w[d];
  }
  double sum = 0;
  for (std::int64_t d = 0; d < dim; ++d)
    sum += v[static_cast<std::size_t>(d)] * content.q[static_cast<std::size_t>((h * length + i) * dim + d)];
  return sum / std::sqrt(static_cast<double>(dim));
}

TEST(Path, isTheProductOfTheMatricesBetween) {
  const auto content = test::randomContent<double>(shapeOf());
  const Given g = drawGiven(-1);
  const std::vector<double> logits = logitsOf(g, content, shapeOf());
  std::size_t e = 0;
  for (std::int64_t h = 0; h < heads; ++h)
    for (std::int64_t i = 0; i < length; ++i)
      for (std::int64_t j = 0; j < length; ++j, ++e)
        ASSERT_NEAR(logits[e], j <= i ? byKey(g, content, h, i, j) : 0.0, 1e-13) << i << " " << j;
}

TEST(Path, strengthZeroIsNoPosition) {
  const auto content = test::randomContent<double>(shapeOf());
  const std::vector<double> found = logitsOf(drawGiven(0), content, shapeOf());
  const auto plain =
      test::attending(test::plainEncoding<double>(shapeOf()), content, causal(), shapeOf(), {true, false, false, {}});
  for (std::size_t e = 0; e < found.size(); ++e) {
    const bool past = e % length <= e / length % length;
    ASSERT_NEAR(found[e], past ? plain.logits[e] : 0, 1e-14);
  }
}

TEST(Path, strengthTwoKeepsLengthsAndOneForgetsTheDirection) {
  // With k = the unit vectors of a basis, a row of logits over copies of them is the turned query itself.
  Shape shape = shapeOf();
  auto content = test::randomContent<double>(shape);
  const Given mirrors = drawGiven(2);
  Given forgets = drawGiven(1);
  for (std::int64_t h = 0; h < heads; ++h)  // the key of token 7 is the direction that token 8 forgets
    std::copy_n(forgets.w.begin() + (h * length + 8) * dim, dim, content.k.begin() + (h * length + 7) * dim);
  const std::vector<double> logits = logitsOf(forgets, content, shape);
  for (std::int64_t h = 0; h < heads; ++h)
    EXPECT_NEAR(logits[static_cast<std::size_t>((h * length + 8) * length + 7)], 0, 1e-14);

  std::vector<double> square(heads), wanted(heads);
  for (std::int64_t d = 0; d < dim; ++d) {
    for (std::int64_t row = 0; row < heads * length; ++row)
      for (std::int64_t c = 0; c < dim; ++c) content.k[static_cast<std::size_t>(row * dim + c)] = c == d;
    const std::vector<double> turned = logitsOf(mirrors, content, shape);
    for (std::int64_t h = 0; h < heads; ++h) {
      const auto last = static_cast<std::size_t>((h * length + 8) * length);  // query 8 seen from key 0
      square[static_cast<std::size_t>(h)] += turned[last] * turned[last];
      wanted[static_cast<std::size_t>(h)] += turned[last + 8] * turned[last + 8];  // the diagonal: not yet turned
    }
  }
  for (std::size_t h = 0; h < heads; ++h) EXPECT_NEAR(square[h], wanted[h], 1e-13);
}

TEST(Path, theLastQueriesAloneAreTheSameRows) {
  const Given g = drawGiven(-1);
  const auto content = test::randomContent<double>(shapeOf());
  auto last = content;
  last.q.clear();
  for (std::int64_t h = 0; h < heads; ++h)
    last.q.insert(last.q.end(), content.q.begin() + (h * length + 5) * dim, content.q.begin() + (h + 1) * length * dim);
  const std::vector<double> all = logitsOf(g, content, shapeOf());
  const std::vector<double> some = logitsOf(g, last, shapeOf(4));
  for (std::size_t h = 0; h < heads; ++h)
    for (std::size_t e = 0; e < 4 * length; ++e)
      ASSERT_EQ(some[h * 4 * length + e], all[(h * length + 5) * length + e]);
}

TEST(Path, withoutGivenVectorsTheTokensMakeThem) {
  const Shape shape = shapeOf();
  const auto encoding = test::encoded("path", {}, shape);
  EXPECT_TRUE(encoding.logits.score.reads_input);
  const auto content = test::randomContent<double>(shape, true);
  const auto once = test::attending(encoding, content, causal(), shape);
  EXPECT_EQ(once.weights, test::attending(encoding, content, causal(), shape).weights);
  const auto other = test::attending(test::encoded("path", {{"seed", 2.0}}, shape), content, causal(), shape);
  EXPECT_NE(once.weights, other.weights);
  EXPECT_FALSE(attention::attend(encoding, test::randomContent<double>(shape), causal(), shape, {}, Job()));
}

TEST(Path, refusesWhatDoesNotFit) {
  const Given g = drawGiven(1);
  ParamValues values = g.values();
  values.erase("beta");
  EXPECT_EQ(test::refusal("path", values, shapeOf()), "path: w and beta must be given together, got only w");
  values = g.values();
  values["beta"] = makeArray({heads, length}, std::vector<double>(heads * length, 2.5));
  EXPECT_EQ(test::refusal("path", values, shapeOf()), "path: beta must be 0 to 2, got 2.5");
  Shape longer = shapeOf();
  longer.seq_len = 10;
  EXPECT_EQ(schemes::find("path")->check(g.values(), longer).error().code, ErrorCode::bad_shape);
  Shape shorter = shapeOf();
  shorter.seq_len = 4;  // the first tokens of a longer text
  EXPECT_EQ(test::refusal("path", g.values(), shorter), "accepted");
}

}  // namespace
}  // namespace posiscope

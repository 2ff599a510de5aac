// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rotary.h"
#include "tests/support/encoded.h"

#include <cmath>
#include <numeric>

namespace posiscope {
namespace {

Shape headShape(std::int64_t head_dim, std::int64_t seq_len = 32, double first = 0) {
  Shape shape;
  shape.head_dim = head_dim;
  shape.seq_len = seq_len;
  shape.first_position = first;
  return shape;
}

RotationPart rotation(const ParamValues& values, const Shape& shape) {
  const Encoding<double> encoding = test::encoded("rope", values, shape);
  return encoding.rotation.value_or(RotationPart{});
}

/// x at `token`, turned as the part says.
std::vector<double> turned(const RotationPart& r, std::vector<double> x, std::int64_t token) {
  for (std::int64_t p = 0; p < r.pairs(); ++p) {
    double& a = x[static_cast<std::size_t>(r.firstDim(p))];
    double& c = x[static_cast<std::size_t>(r.secondDim(p))];
    const double cosine = r.attention_factor * std::cos(r.angle(0, token, p));
    const double sine = r.attention_factor * std::sin(r.angle(0, token, p));
    const double before = a;
    a = before * cosine - c * sine;
    c = before * sine + c * cosine;
  }
  return x;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

std::vector<double> someVector(std::size_t n, double phase) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(phase + 1.7 * static_cast<double>(i));
  return x;
}

const std::string interleaved = "interleaved", half = "half";

TEST(Rope, anglesArePositionTimesFrequency) {
  const RotationPart r = rotation({{"base", 500000.0}}, headShape(128, 10, 1000.5));
  EXPECT_EQ(r.pairs(), 64);
  EXPECT_EQ(r.sets, 1);
  for (std::int64_t t = 0; t < 10; ++t)
    for (std::int64_t p = 0; p < 64; ++p) {
      const long double w = std::pow(500000.0L, -2.0L * p / 128);
      EXPECT_NEAR(r.angle(0, t, p), static_cast<double>((1000.5L + t) * w), 1e-12);
    }
}

TEST(Rope, pairingsTakeTheirDimensions) {
  const RotationPart near = rotation({}, headShape(8));
  EXPECT_EQ(near.firstDim(1), 2);
  EXPECT_EQ(near.secondDim(1), 3);
  const RotationPart split = rotation({{"pairing", half}}, headShape(8));
  EXPECT_EQ(split.firstDim(1), 1);
  EXPECT_EQ(split.secondDim(1), 5);
}

TEST(Rope, pairingsDifferByAPermutationOnly) {
  const Shape shape = headShape(16);
  const std::vector<double> x = someVector(16, 0.3);
  std::vector<double> permuted(16);
  for (std::size_t i = 0; i < 16; ++i) permuted[i < 8 ? i : i] = x[i < 8 ? 2 * i : 2 * (i - 8) + 1];
  const std::vector<double> near = turned(rotation({}, shape), x, 9);
  const std::vector<double> split = turned(rotation({{"pairing", half}}, shape), permuted, 9);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(split[i], near[i < 8 ? 2 * i : 2 * (i - 8) + 1]);
}

TEST(Rope, scoresDependOnTheOffsetOnly) {
  const std::vector<double> q = someVector(64, 0.1), k = someVector(64, 2);
  for (const std::string& pairing : {interleaved, half}) {
    const RotationPart here = rotation({{"pairing", pairing}}, headShape(64));
    const RotationPart there = rotation({{"pairing", pairing}}, headShape(64, 32, 1000.25));
    const double score = dot(turned(here, q, 9), turned(here, k, 4));
    EXPECT_NEAR(dot(turned(here, q, 25), turned(here, k, 20)), score, 1e-11);
    EXPECT_NEAR(dot(turned(there, q, 9), turned(there, k, 4)), score, 1e-11);
    EXPECT_GT(std::abs(dot(turned(here, q, 4), turned(here, k, 9)) - score), 0.01);  // not symmetric
    EXPECT_NEAR(dot(turned(here, q, 9), turned(here, q, 9)), dot(q, q), 1e-12);      // length kept
    EXPECT_EQ(turned(here, q, 0), q);
  }
}

TEST(Rope, partialRotationLeavesTheRestAlone) {
  const RotationPart r = rotation({{"rotary_share", 0.25}, {"pairing", half}}, headShape(64));
  EXPECT_EQ(r.rotary_dim, 16);
  EXPECT_EQ(r.secondDim(0), 8);
  EXPECT_NEAR(r.frequencyOf(0, 0, 1), std::pow(10000.0, -2.0 / 16), 1e-16);  // by 16, not by 64
  const std::vector<double> q = someVector(64, 1);
  const std::vector<double> after = turned(r, q, 5);
  EXPECT_TRUE(std::equal(q.begin() + 16, q.end(), after.begin() + 16));
  EXPECT_EQ(rotation({{"rotary_dim", 64.0}}, headShape(256)).pairs(), 32);
}

TEST(Rope, yarnScalesTheScoresByTheSquareOfItsFactor) {
  const ParamValues values{{"scaling", std::string("yarn")}, {"factor", 16.0}};
  const Encoding<double> encoding = test::encoded("rope", values, headShape(128));
  ASSERT_TRUE(encoding.rotation);
  EXPECT_NEAR(encoding.rotation->attention_factor, 1.2772588722239782, 1e-15);
  const std::vector<double> q = someVector(128, 1);
  EXPECT_NEAR(dot(turned(*encoding.rotation, q, 3), turned(*encoding.rotation, q, 3)) / dot(q, q),
              1.2772588722239782 * 1.2772588722239782, 1e-13);
  const auto fact = [&](std::string_view key) {
    for (const EncodingFact& f : encoding.facts)
      if (f.key == key) return f.value;
    return -1.0;
  };
  EXPECT_EQ(fact("yarn_low"), 20);
  EXPECT_EQ(fact("yarn_high"), 46);
  EXPECT_EQ(fact("attention_factor"), encoding.rotation->attention_factor);
  EXPECT_DOUBLE_EQ(encoding.logit_scale, 1 / std::sqrt(128.0));
}

TEST(Rope, deepseekMovesTheTemperatureToTheSoftmax) {
  const ParamValues values{{"scaling", std::string("yarn")},
                           {"factor", 40.0},
                           {"mscale", 1.0},
                           {"mscale_all_dim", 1.0},
                           {"mscale_rule", std::string("deepseek")}};
  const Encoding<double> encoding = test::encoded("rope", values, headShape(64));
  EXPECT_EQ(encoding.rotation->attention_factor, 1);
  EXPECT_NEAR(encoding.logit_scale, 1.8738542070926265 / 8, 1e-14);
}

TEST(Rope, dynamicLooksAtTheSequence) {
  const ParamValues values{{"scaling", std::string("dynamic")}, {"factor", 2.0}, {"max_length", 64.0}};
  EXPECT_EQ(rotation(values, headShape(64, 64)).frequency, rotation({}, headShape(64)).frequency);
  EXPECT_LT(rotation(values, headShape(64, 65)).frequency.back(), rotation({}, headShape(64)).frequency.back());
}

TEST(Rope, showsItsNumbers) {
  const Scheme& rope = *schemes::find("rope");
  EXPECT_EQ(rope.substitution({{"base", 500000.0}}, headShape(128)), "b = 500\u202f000, r = 128, p = 0…63");
  EXPECT_EQ(rope.substitution({{"base", 0.0}}, headShape(128)), "");
  EXPECT_EQ(test::refusal("rope", {{"base", 0.0}}, headShape(128)), "rope: base must be 1e-06 to 1e+09, got 0");
}

}  // namespace
}  // namespace posiscope
